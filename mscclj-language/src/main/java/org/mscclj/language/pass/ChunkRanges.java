package org.mscclj.language.pass;

import java.util.List;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;

/**
 * Resolves the operands of a rank's operations whose ids are those of the rank.
 *
 * @param plan the declarations of the program
 * @param rank the rank
 */
record ChunkRanges(Plan plan, RankPlan rank) {
    /** The ranges of an operand; a multicast operand has a range at each member. */
    List<ChunkRange> of(ChunkRef reference) {
        return switch (reference) {
            case ChunkRef.Local local -> List.of(range(rank, local.buffer(), reference));
            case ChunkRef.Remote remote -> {
                RemoteBuffer buffer = rank.remoteBuffers().get(remote.bufferId());
                yield List.of(range(plan.ranks().get(buffer.rank()), buffer.buffer(), reference));
            }
            case ChunkRef.Multicast all -> {
                SwitchGroup group = rank.switchGroups().get(all.switchChannelId());
                yield group.ranks().stream()
                        .map(member -> range(plan.ranks().get(member), group.buffer(), reference))
                        .toList();
            }
        };
    }

    /** Whether operands share memory. */
    boolean overlap(ChunkRef one, ChunkRef other) {
        return of(one).stream().anyMatch(range -> of(other).stream().anyMatch(range::overlaps));
    }

    /** Whether operands share memory, but not the same elements at equal positions. */
    boolean overlapInPart(ChunkRef one, ChunkRef other) {
        return of(one).stream().anyMatch(range -> of(other).stream().anyMatch(range::overlapsInPart));
    }

    private ChunkRange range(RankPlan owner, BufferType buffer, ChunkRef reference) {
        return ChunkRange.of(
                plan.inPlace(),
                owner.inputChunks(),
                owner.outputChunks(),
                owner.rank(),
                buffer,
                reference.index(),
                reference.size());
    }
}
