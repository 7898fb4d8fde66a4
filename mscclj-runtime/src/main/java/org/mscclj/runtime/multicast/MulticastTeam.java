package org.mscclj.runtime.multicast;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.spi.device.MemoryNeeds;

/**
 * Ranks that share switch channels, with the buffers that these channels access. They need one multicast group.
 *
 * @param members the ranks, in ascending order
 * @param buffers the buffers
 */
record MulticastTeam(List<Integer> members, Set<BufferType> buffers) {
    /**
     * Returns the teams of a plan, in an order that is equal on all ranks.
     *
     * @param wanted the buffers that count
     */
    static List<MulticastTeam> of(Plan plan, Set<BufferType> wanted) {
        Map<List<Integer>, Set<BufferType>> buffers = new LinkedHashMap<>();
        plan.ranks().stream()
                .flatMap(rank -> rank.switchGroups().stream())
                .filter(group -> wanted.contains(group.buffer()))
                .forEach(group -> buffers.computeIfAbsent(members(group), _ -> EnumSet.noneOf(BufferType.class))
                        .add(group.buffer()));
        List<MulticastTeam> teams = new ArrayList<>();
        buffers.forEach((members, used) -> teams.add(new MulticastTeam(members, used)));
        return List.copyOf(teams);
    }

    private static List<Integer> members(SwitchGroup group) {
        return group.ranks().stream().sorted().distinct().toList();
    }

    /** Returns whether a switch channel uses the group of this team. */
    boolean serves(SwitchGroup group) {
        return buffers.contains(group.buffer()) && members(group).equals(members);
    }

    /** Returns the rank that creates the group. */
    int creator() {
        return members.getFirst();
    }

    /**
     * Returns the position of a buffer in the group, in bytes.
     *
     * @param sizes the most bytes of a buffer over all members
     */
    long offset(BufferType buffer, MemoryNeeds needs, ToLongFunction<BufferType> sizes) {
        long offset = 0;
        for (BufferType before : buffers) { // in the order of the enumeration
            if (before == buffer) {
                break;
            }
            offset = Math.addExact(offset, needs.roundUp(sizes.applyAsLong(before)));
        }
        return offset;
    }

    /** Returns the bytes of the group. */
    long bytes(MemoryNeeds needs, ToLongFunction<BufferType> sizes) {
        return buffers.stream()
                .mapToLong(buffer -> needs.roundUp(sizes.applyAsLong(buffer)))
                .reduce(0, Math::addExact);
    }
}
