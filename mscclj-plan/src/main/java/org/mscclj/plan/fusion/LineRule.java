package org.mscclj.plan.fusion;

import java.util.List;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.layout.RoundLayout;

/**
 * The rule for which packets of fused blocks are lines: 128 bytes, 120 of which are payload. It depends on the plan and
 * the layout of a round only, which are equal on all ranks, so that all ranks decide alike.
 *
 * @param suits whether the plan has the protocol {@link Protocol#LL128}, each operand is one chunk or a share of one,
 *     which is contiguous, chunks are multiples of 64 bytes, so that lines begin at multiples of 128, blocks have the
 *     threads of a group of lines, and the halves of scratch have one size on all ranks
 * @param alignment the plan's granularity, in bytes
 * @param maxGroup the most blocks that share a chunk
 */
record LineRule(boolean suits, int alignment, int maxGroup) {
    /**
     * The least payload of a block that is sent in lines, in bytes: whole groups of lines lie in an area that has twice
     * the size of the payload. A group has 512 bytes for 480 of payload, and the last one may be padded.
     */
    static final long LEAST = 576;

    /** The rule for a plan. */
    static LineRule of(Plan plan, List<FusedMoves> blocks) {
        int alignment = plan.bufferAlignment();
        boolean singleChunks = blocks.stream().flatMap(FusedMoves::operands).allMatch(operand -> operand.size() == 1);
        boolean equalHalves = !plan.doubleScratch()
                || plan.ranks().stream().map(RankPlan::scratchChunks).distinct().count() == 1;
        boolean suits = plan.protocol() == Protocol.LL128
                && singleChunks
                && alignment % (Lines.BYTES / 2) == 0
                && plan.threadsPerBlock() >= Lines.GROUP_THREADS
                && equalHalves;
        int maxGroup = blocks.stream()
                .mapToInt(block -> block.share().groupSize())
                .max()
                .orElse(1);
        return new LineRule(suits, alignment, maxGroup);
    }

    /** Whether the packets of a round are lines: blocks have at least {@link #LEAST} bytes, and less than 2 GiB. */
    boolean isMet(RoundLayout layout) {
        return suits
                && RoundLayout.shortestShare(layout.chunkBytes(), maxGroup, alignment) >= LEAST
                && layout.chunkBytes() <= Integer.MAX_VALUE;
    }
}
