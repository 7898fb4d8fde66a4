/** Checks of ranks that close their communicator or are lost, and of the health of processes. */
package org.mscclj.conformance.rank.loss;
