package org.mscclj.runtime.communicator;

/**
 * What makes one communicator different from another of the same kind.
 *
 * @param name for messages
 * @param lifetime when memory that peers access is freed
 * @param splitter makes communicators of some of the ranks
 */
public record CommunicatorSpec(String name, Lifetime lifetime, Splitter splitter) {}
