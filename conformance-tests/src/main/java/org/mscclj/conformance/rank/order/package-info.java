/** Checks of launches one after another or concurrently: streams, barriers, futures, and what launches hold. */
package org.mscclj.conformance.rank.order;
