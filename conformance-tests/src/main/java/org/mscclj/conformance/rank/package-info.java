/**
 * The checks of test cases, for one rank in a thread or a process. A rank fills its buffers, calls its communicator,
 * and compares the results. It can compute the data of all ranks, and needs nothing from the other ranks.
 */
package org.mscclj.conformance.rank;
