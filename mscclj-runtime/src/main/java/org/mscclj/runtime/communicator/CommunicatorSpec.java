package org.mscclj.runtime.communicator;

import java.util.List;
import org.mscclj.api.option.WarmUp;
import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.settings.GroupHints;

/**
 * The properties that distinguish a communicator from others of its kind.
 *
 * @param identity distinguishes the communicator from all others
 * @param lifetime decides when memory that peers access is freed
 * @param hints the hints of the group
 * @param warmUp the classes of calls that are set up at opening; equal on all ranks
 * @param splitter creates communicators of some of the ranks
 * @param shrinker creates communicators of the remaining ranks, also after this communicator has ended
 * @param reconfigurer creates communicators of other memberships
 */
public record CommunicatorSpec(
        CommunicatorIdentity identity,
        Lifetime lifetime,
        GroupHints hints,
        List<WarmUp> warmUp,
        Splitter splitter,
        Shrinker shrinker,
        Reconfigurer reconfigurer) {
    /** Returns the name of the communicator, for messages. */
    public String name() {
        return identity.name();
    }
}
