/** Calls that must be refused, as tables: a line is a call, what it must throw, and what the message must say. */
package org.mscclj.conformance.rank.refusal;
