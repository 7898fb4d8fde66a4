/** Runs the rules, one after another, and says of each what became of it. */
package org.mscclj.conformance.suite;
