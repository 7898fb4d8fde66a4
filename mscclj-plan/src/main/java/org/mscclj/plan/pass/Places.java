package org.mscclj.plan.pass;

import java.util.List;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;

/**
 * Where the operands of a rank's operations are, as long as their ids are the rank's.
 *
 * @param plan what the program declares
 * @param rank the rank
 */
record Places(Plan plan, RankPlan rank) {
    /** The place of an operand; a multicast one has a place at each member. */
    List<Place> of(ChunkRef reference) {
        return switch (reference) {
            case ChunkRef.Local local -> List.of(place(rank, local.buffer(), reference));
            case ChunkRef.Remote remote -> {
                RemoteBuffer buffer = rank.remoteBuffers().get(remote.bufferId());
                yield List.of(place(plan.ranks().get(buffer.rank()), buffer.buffer(), reference));
            }
            case ChunkRef.Multicast all -> {
                SwitchGroup group = rank.switchGroups().get(all.switchChannelId());
                yield group.ranks().stream()
                        .map(member -> place(plan.ranks().get(member), group.buffer(), reference))
                        .toList();
            }
        };
    }

    /** Whether operands have memory in common. */
    boolean overlap(ChunkRef one, ChunkRef other) {
        return of(one).stream().anyMatch(place -> of(other).stream().anyMatch(place::overlaps));
    }

    /** Whether operands have memory in common, though not the same elements at the same positions. */
    boolean overlapInPart(ChunkRef one, ChunkRef other) {
        return of(one).stream().anyMatch(place -> of(other).stream().anyMatch(place::overlapsInPart));
    }

    private Place place(RankPlan owner, BufferType buffer, ChunkRef reference) {
        return Place.of(
                plan.inPlace(),
                owner.inputChunks(),
                owner.outputChunks(),
                owner.rank(),
                buffer,
                reference.index(),
                reference.size());
    }
}
