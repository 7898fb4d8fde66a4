/**
 * The collectives of a communicator: checks of the call, agreement between ranks, selection of an algorithm, and the
 * caches that are kept from call to call.
 *
 * <p>The values that decide whether ranks communicate before a launch, and which plan they run, are equal on all ranks:
 * the call, the numbers of registered allocations, and the history of calls. A rank's own addresses and caches decide
 * only what concerns that rank alone.
 */
package org.mscclj.runtime.collective;
