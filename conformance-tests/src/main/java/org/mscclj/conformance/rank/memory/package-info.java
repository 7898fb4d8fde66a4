/** Checks of memory of the host: accesses, allocations, copies and collectives. */
package org.mscclj.conformance.rank.memory;
