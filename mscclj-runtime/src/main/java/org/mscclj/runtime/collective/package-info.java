/**
 * The collectives of a communicator: checks of the call, agreement among ranks, choice of an algorithm, and what is
 * kept from call to call.
 *
 * <p>What decides whether ranks talk before a launch, and what they run, is equal on all of them: the call, the numbers
 * of registered allocations, and the history of calls. A rank's own addresses and caches decide only what concerns that
 * rank alone.
 */
package org.mscclj.runtime.collective;
