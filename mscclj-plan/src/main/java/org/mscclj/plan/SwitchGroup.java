package org.mscclj.plan;

import java.util.List;

/**
 * A multicast group: one switch channel over the same buffer of several ranks.
 *
 * @param buffer buffer of each member
 * @param ranks the members, in file order
 */
public record SwitchGroup(BufferType buffer, List<Integer> ranks) {
    /** Copies the list. */
    public SwitchGroup {
        ranks = List.copyOf(ranks);
    }
}
