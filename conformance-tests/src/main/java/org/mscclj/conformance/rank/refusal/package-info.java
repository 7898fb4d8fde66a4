/**
 * Calls that must be refused, as tables. Each line has a call, the exception that it must throw, and the text that the
 * message must contain.
 */
package org.mscclj.conformance.rank.refusal;
