package org.mscclj.runtime.communicator;

import org.mscclj.runtime.settings.GroupHints;

/**
 * What makes one communicator different from another of the same kind.
 *
 * @param name for messages
 * @param lifetime when memory that peers access is freed
 * @param hints the group's
 * @param splitter makes communicators of some of the ranks
 * @param shrinker makes communicators of those who are left, whatever has become of this one; its splits all have number 0
 * @param reconfigurer makes communicators of other memberships
 */
public record CommunicatorSpec(
        String name,
        Lifetime lifetime,
        GroupHints hints,
        Splitter splitter,
        Splitter shrinker,
        Reconfigurer reconfigurer) {}
