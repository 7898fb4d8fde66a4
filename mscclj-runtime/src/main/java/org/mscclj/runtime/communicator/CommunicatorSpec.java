package org.mscclj.runtime.communicator;

/**
 * What makes one communicator different from another of the same kind.
 *
 * @param name for messages
 * @param ranksPerNode ranks on each node
 * @param onAbort called after the abort word was set, to wake who waits
 * @param awaitPeers called when this rank's launches have ended and before its memory is freed: returns when no peer accesses that
 *     memory any more
 */
public record CommunicatorSpec(String name, int ranksPerNode, Runnable onAbort, Runnable awaitPeers) {}
