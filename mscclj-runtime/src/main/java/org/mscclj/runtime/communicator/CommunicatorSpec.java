package org.mscclj.runtime.communicator;

import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.settings.GroupHints;

/**
 * What makes one communicator different from another of the same kind.
 *
 * @param identity tells it from all others
 * @param lifetime when memory that peers access is freed
 * @param hints the group's
 * @param splitter makes communicators of some of the ranks
 * @param shrinker makes communicators of those who are left, whatever has become of this one
 * @param reconfigurer makes communicators of other memberships
 */
public record CommunicatorSpec(
        CommunicatorIdentity identity,
        Lifetime lifetime,
        GroupHints hints,
        Splitter splitter,
        Shrinker shrinker,
        Reconfigurer reconfigurer) {
    /** For messages. */
    public String name() {
        return identity.name();
    }
}
