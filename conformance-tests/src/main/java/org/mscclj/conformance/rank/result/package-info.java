/** Checks of results: one launch, several launches, variable-size collectives, and factors of premultiplied sums. */
package org.mscclj.conformance.rank.result;
