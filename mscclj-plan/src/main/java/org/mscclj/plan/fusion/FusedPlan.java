package org.mscclj.plan.fusion;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.layout.RoundLayout;

/**
 * A plan of which GPUs fuse every block of every rank.
 *
 * <p>A rank executes a launch of it in fused form if the operands of its blocks are contiguous in the layout
 * ({@link FusedRanges}). That is a decision of the rank alone, unless packets are lines ({@link #areLines}), which all
 * ranks decide alike. Immutable.
 */
public final class FusedPlan {
    private final Plan plan;
    private final List<List<FusedMoves>> blocks;
    private final LineRule lines;

    /** A chunk of packets. */
    private record Slot(int rank, BufferType buffer, int chunk) {}

    private FusedPlan(Plan plan, List<List<FusedMoves>> blocks) {
        this.plan = plan;
        this.blocks = blocks;
        this.lines = LineRule.of(plan, blocks.stream().flatMap(List::stream).toList());
    }

    /**
     * Fuses the blocks of a plan.
     *
     * @param plan a valid plan
     * @return empty if a block cannot be fused, if a rank has none, or if ranges of packets overlap and differ
     */
    public static Optional<FusedPlan> of(Plan plan) {
        List<List<FusedMoves>> all = new ArrayList<>();
        for (RankPlan rank : plan.ranks()) {
            List<FusedMoves> fused = new ArrayList<>();
            for (ThreadBlock block : rank.threadBlocks()) {
                Optional<FusedMoves> one = FusedMoves.of(plan, rank, block);
                if (one.isEmpty()) {
                    return Optional.empty();
                }
                fused.add(one.get());
            }
            if (fused.isEmpty()) {
                return Optional.empty();
            }
            all.add(List.copyOf(fused));
        }
        return arePacketsEqualRanges(all) ? Optional.of(new FusedPlan(plan, List.copyOf(all))) : Optional.empty();
    }

    /**
     * Whether ranges of packets are equal or apart, on all ranks: then a unit is at the same position for its sender
     * and its receiver, and units before it wait for no unit behind it. Otherwise a block that sends and receives unit
     * by unit might wait for a packet that its peer derives from a unit that the block has yet to send.
     */
    private static boolean arePacketsEqualRanges(List<List<FusedMoves>> blocks) {
        Set<OperandRange> ranges = blocks.stream()
                .flatMap(List::stream)
                .flatMap(block -> block.packets().stream())
                .collect(Collectors.toSet());
        Set<Slot> slots = new HashSet<>();
        return ranges.stream()
                .flatMap(range -> IntStream.range(range.index(), range.index() + range.size())
                        .mapToObj(chunk -> new Slot(range.rank(), range.buffer(), chunk)))
                .allMatch(slots::add);
    }

    /** The plan. */
    public Plan plan() {
        return plan;
    }

    /** The blocks of a rank, in the order of the plan. */
    public List<FusedMoves> blocks(int rank) {
        return blocks.get(rank);
    }

    /** Whether the packets of a round are lines where those may be used; equal on all ranks. */
    public boolean areLines(RoundLayout layout) {
        return lines.isMet(layout);
    }

    /** Whether all ranks execute a round in fused form: the operands of all blocks are contiguous. */
    public boolean isContiguous(RoundLayout layout) {
        return blocks.stream()
                .flatMap(List::stream)
                .allMatch(block -> FusedRanges.of(plan, block, layout).isPresent());
    }
}
