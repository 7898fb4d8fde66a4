package org.mscclj.runtime.communicator;

import org.mscclj.runtime.settings.GroupHints;

/**
 * What makes one communicator different from another of the same kind.
 *
 * @param name for messages
 * @param lifetime when memory that peers access is freed
 * @param hints the group's
 * @param splitter makes communicators of some of the ranks
 */
public record CommunicatorSpec(String name, Lifetime lifetime, GroupHints hints, Splitter splitter) {}
