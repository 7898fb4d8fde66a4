/** Calls of the C library: what a rule does to its own process, and Java cannot. */
@org.jspecify.annotations.NullMarked
package org.mscclj.conformance.ffm;
