/** Runs the rules one after another, and determines the result of each. */
package org.mscclj.conformance.suite;
