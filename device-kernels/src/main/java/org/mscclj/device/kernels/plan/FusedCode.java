package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/** A plan of which every block of every rank is fused. */
public final class FusedCode {
    private final List<List<FusedBlock>> blocks;
    private final List<String> bodies;
    private final Map<String, Integer> shapeOfBody = new HashMap<>();
    private final int recordWords;
    private final int maxGroup;
    private final boolean singleChunks;
    private final boolean equalHalves;

    private FusedCode(Plan plan, List<List<FusedBlock>> blocks) {
        this.blocks = blocks;
        this.bodies = blocks.stream()
                .flatMap(List::stream)
                .map(FusedBlock::body)
                .distinct()
                .sorted()
                .toList();
        bodies.forEach(body -> shapeOfBody.put(body, shapeOfBody.size()));
        this.recordWords = blocks.stream()
                .flatMap(List::stream)
                .mapToInt(FusedBlock::words)
                .max()
                .orElse(0);
        this.maxGroup = blocks.stream()
                .flatMap(List::stream)
                .mapToInt(block -> block.share().groupSize())
                .max()
                .orElse(1);
        this.singleChunks = blocks.stream()
                .flatMap(List::stream)
                .flatMap(block -> Stream.concat(block.plain().stream(), block.packets().stream()))
                .allMatch(operand -> operand.size() == 1);
        this.equalHalves = !plan.doubleScratch()
                || plan.ranks().stream().map(RankPlan::scratchChunks).distinct().count() == 1;
    }

    /**
     * Fuses the blocks of a plan.
     *
     * @param steps the steps of each block of each rank
     * @return empty if a block cannot be fused, if a rank has none, or if ranges of packets overlap and differ
     */
    static Optional<FusedCode> of(Plan plan, List<List<List<KernelStep>>> steps) {
        List<List<FusedBlock>> all = new ArrayList<>();
        for (int rank = 0; rank < steps.size(); rank++) {
            List<FusedBlock> fused = new ArrayList<>();
            for (List<KernelStep> block : steps.get(rank)) {
                Optional<FusedBlock> one = FusedBlock.of(plan, rank, block);
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
        return arePacketsEqualRanges(all) ? Optional.of(new FusedCode(plan, List.copyOf(all))) : Optional.empty();
    }

    /**
     * Whether ranges of packets are equal or apart, on all ranks: then a unit is at the same position for its sender
     * and its receiver, and units before it wait for no unit behind it. Otherwise a block that sends and receives unit
     * by unit might wait for a packet that its peer derives from a unit that the block has yet to send.
     */
    private static boolean arePacketsEqualRanges(List<List<FusedBlock>> blocks) {
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

    /** A chunk of packets. */
    private record Slot(int rank, BufferType buffer, int chunk) {}

    /** The blocks of a rank. */
    List<FusedBlock> blocks(int rank) {
        return blocks.get(rank);
    }

    /** The bodies of the functions, by shape. */
    List<String> bodies() {
        return bodies;
    }

    /** The number of a block's shape. */
    int shape(FusedBlock block) {
        return Objects.requireNonNull(shapeOfBody.get(block.body()));
    }

    /** Words between the records of neighbouring blocks. */
    int recordWords() {
        return recordWords;
    }

    /** The most blocks that share a range. */
    int maxGroup() {
        return maxGroup;
    }

    /** Whether each operand is a single chunk, or a share of one. */
    boolean areSingleChunks() {
        return singleChunks;
    }

    /** Whether the halves of scratch are at equal distances on all ranks. */
    boolean hasEqualHalves() {
        return equalHalves;
    }

    /** Words of the table of a launch of a rank. */
    public int words(int rank) {
        return blocks.get(rank).size() * recordWords;
    }
}
