package org.mscclj.plan.pairing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.SwitchGroup;

/**
 * Determines which switch channels of different ranks form one multicast group: those over the same buffer and the same
 * set of ranks. If a rank declares several of those, the k-th of every member form a group.
 *
 * <p>Every rank computes the same keys, in time linear in the size of the declarations.
 */
public final class SwitchPairing {
    /**
     * A multicast group, equal on all of its members.
     *
     * @param buffer buffer of each member
     * @param ranks the members, ascending
     * @param ordinal position among the groups over this buffer and these ranks
     */
    public record Key(BufferType buffer, List<Integer> ranks, int ordinal) {
        /** Copies the list. */
        public Key {
            ranks = List.copyOf(ranks);
        }
    }

    private record Members(BufferType buffer, List<Integer> ranks) {}

    private final List<List<Key>> keys;

    private SwitchPairing(List<List<Key>> keys) {
        this.keys = keys;
    }

    /** The groups of a plan. */
    public static SwitchPairing of(Plan plan) {
        return new SwitchPairing(
                plan.ranks().stream().map(SwitchPairing::keysOf).toList());
    }

    /** The group of each switch channel of {@code rank}, by channel id. */
    public List<Key> groups(int rank) {
        return keys.get(rank);
    }

    private static List<Key> keysOf(RankPlan rank) {
        Map<Members, Integer> seen = new HashMap<>();
        List<Key> keys = new ArrayList<>();
        for (SwitchGroup group : rank.switchGroups()) {
            List<Integer> ranks = new ArrayList<>(group.ranks());
            Collections.sort(ranks);
            int ordinal = seen.merge(new Members(group.buffer(), ranks), 1, Integer::sum) - 1;
            keys.add(new Key(group.buffer(), ranks, ordinal));
        }
        return Collections.unmodifiableList(keys);
    }
}
