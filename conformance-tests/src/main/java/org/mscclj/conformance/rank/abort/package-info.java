/** Checks of aborts: what they end, and the reason that they leave. */
package org.mscclj.conformance.rank.abort;
