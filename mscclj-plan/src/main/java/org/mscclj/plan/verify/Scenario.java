package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/**
 * A size to verify for. Bytes are looked at in cells: units of alignment, which groups of blocks share out. A plan without groups and pipelines
 * treats all cells of a chunk alike, and one cell stands for all sizes. With groups, chunks of 1 to twice as many cells as divide evenly among all
 * groups are tried, so every remainder is met twice, with shares that may be empty and with shares that are not. With pipelines, of one to several
 * iterations, the last of which may be shorter.
 *
 * @param cellsPerChunk cells of a chunk
 * @param cellsPerIteration cells of a pipeline's iteration
 */
record Scenario(int cellsPerChunk, int cellsPerIteration) {
    /** Cells of which chunks of every number are tried. */
    private static final int MOST_SHARES = 32;

    /** Iterations, so that what is done again meets what was done before, twice. */
    private static final int ITERATIONS = 3;

    /** What a plan needs to be verified for. */
    static List<Scenario> of(Plan plan) {
        int shares = shares(plan);
        int chunks = pipelinedChunks(plan);
        Set<Scenario> scenarios = new LinkedHashSet<>();
        int unit = Math.min(shares, 2 * MOST_SHARES);
        scenarios.add(new Scenario(
                chunks > 0 ? unit * ITERATIONS : unit, unit)); // what divides evenly is told in the fewest words
        if (chunks > 0) {
            scenarios.add(new Scenario(unit * ITERATIONS + 1, unit));
            scenarios.add(new Scenario(unit, Math.multiplyExact(unit, chunks)));
        }
        int most = shares > MOST_SHARES ? 3 : 2 * shares - 1;
        for (int cells = 1; cells <= most; cells++) {
            scenarios.add(new Scenario(cells, unit));
        }
        scenarios.add(new Scenario(unit + (shares > 1 ? 1 : 0), unit));
        return List.copyOf(scenarios);
    }

    /** What a proof leaves open, in words: sizes that were not tried. */
    static List<String> untried(Plan plan) {
        List<String> notes = new ArrayList<>();
        int shares = shares(plan);
        if (shares > MOST_SHARES) {
            notes.add("groups of blocks share chunks among so many that " + shares
                    + " parts divide evenly; only some sizes of chunks were tried, not every remainder");
        }
        if (pipelinedChunks(plan) > 0) {
            notes.add("has pipelines, which were tried with one to several iterations, not with every number");
        }
        return notes;
    }

    /** The least number of parts that divides evenly among all groups of blocks. */
    private static int shares(Plan plan) {
        return operations(plan)
                .filter(Operation.Data.class::isInstance)
                .mapToInt(operation -> ((Operation.Data) operation).share().groupSize())
                .distinct()
                .reduce(1, (a, b) -> (int) Math.min((long) a / greatestCommonDivisor(a, b) * b, Integer.MAX_VALUE / 2));
    }

    /** The most chunks that a pipeline moves; 0 if there is none. */
    private static int pipelinedChunks(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .mapToInt(operation -> operation instanceof Operation.Pipeline pipeline
                        ? Math.clamp(pipeline.chunks(), 1, 1 << 16)
                        : 0)
                .max()
                .orElse(0);
    }

    private static Stream<Operation> operations(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .flatMap(operation -> operation instanceof Operation.Pipeline pipeline
                        ? pipeline.operations().stream()
                        : Stream.of(operation));
    }

    /** How often a pipeline's operations are done. */
    int iterations(Operation.Pipeline pipeline) {
        long cells = (long) pipeline.chunks() * cellsPerChunk;
        return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(cells, (long) cellsPerIteration));
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
