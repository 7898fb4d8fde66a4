package org.mscclj.analysis.walk;

import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.fusion.FusedPlan;
import org.mscclj.plan.fusion.Lines;
import org.mscclj.plan.fusion.PacketUnit;
import org.mscclj.plan.layout.RoundLayout;

/**
 * The form in which GPUs execute a launch of a plan whose blocks they fuse. A block works in turns. In a turn, each
 * thread carries out all moves of the block for one unit of packets, or each warp for one group of lines.
 *
 * <p>{@link FusedPlan} has the conditions of engines. One is added: a plan in which different numbers of blocks share
 * ranges is not taken for fused, since turns of ranks would differ.
 *
 * @param lines whether packets are lines of 128 bytes
 */
public record FusedForm(boolean lines) {
    /** The most threads of a block. */
    private static final int THREADS = 512;

    /**
     * Returns the form of a launch; empty if a block of a rank is not fused.
     *
     * @param mayBeLines whether packets may be lines on these links
     */
    public static Optional<FusedForm> of(Plan plan, RoundLayout layout, boolean mayBeLines) {
        return FusedPlan.of(plan)
                .filter(fused -> groupSizes(plan).distinct().count() == 1 && fused.isContiguous(layout))
                .map(fused -> new FusedForm(mayBeLines && fused.areLines(layout)));
    }

    private static Stream<Integer> groupSizes(Plan plan) {
        return plan.ranks().stream()
                .map(RankPlan::threadBlocks)
                .flatMap(blocks -> blocks.stream().flatMap(FusedForm::moves))
                .map(Operation.Data::share)
                .map(BlockShare::groupSize);
    }

    private static Stream<Operation.Data> moves(ThreadBlock block) {
        return block.operations().stream()
                .filter(Operation.Data.class::isInstance)
                .map(Operation.Data.class::cast);
    }

    /** The most payload of an operand that a block handles in a turn, in bytes. */
    public long turnBytes() {
        return lines ? (long) THREADS / Lines.GROUP_THREADS * Lines.GROUP_PAYLOAD : (long) THREADS * PacketUnit.PAYLOAD;
    }

    /** Number of turns of a block. */
    public long turns(ThreadBlock block, Plan plan, RoundLayout layout) {
        long longest = moves(block)
                .mapToLong(move -> RoundLayout.share(
                                move.destinations().getFirst().size() * layout.chunkBytes(),
                                move.share(),
                                plan.bufferAlignment())
                        .length())
                .max()
                .orElse(0);
        return Math.max(1, Math.ceilDiv(longest, turnBytes()));
    }
}
