package org.mscclj.device.kernels.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.plan.fusion.FusedPlan;

/** The code of a plan of which every block of every rank is fused. */
public final class FusedCode {
    private final FusedPlan plan;
    private final List<List<FusedBlock>> blocks;
    private final List<String> bodies;
    private final Map<String, Integer> shapeOfBody = new HashMap<>();
    private final int recordWords;

    private FusedCode(FusedPlan plan) {
        this.plan = plan;
        this.blocks = plan.plan().ranks().stream()
                .map(rank -> plan.blocks(rank.rank()).stream()
                        .map(moves -> FusedBlock.of(plan.plan(), moves))
                        .toList())
                .toList();
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
    }

    /** The code of a plan; empty if it cannot be fused. */
    static Optional<FusedCode> of(Plan plan) {
        return FusedPlan.of(plan).map(FusedCode::new);
    }

    /** The plan. */
    FusedPlan plan() {
        return plan;
    }

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

    /** Words of the table of a launch of a rank. */
    public int words(int rank) {
        return blocks.get(rank).size() * recordWords;
    }
}
