/** {@code mscclj conformance}: checks a backend against the rules of the specification. */
package org.mscclj.cli.conformance;
