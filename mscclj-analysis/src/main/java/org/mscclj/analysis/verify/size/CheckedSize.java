package org.mscclj.analysis.verify.size;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;

/**
 * A size for which a plan is verified. The unit is the cell: a number of alignment units that blocks of a group divide.
 * A plan without groups and pipelines treats all cells of a chunk alike, and one cell represents all sizes. With
 * groups, the verifier tries chunks of one to two times the number of cells that divides evenly among all groups, so
 * that every remainder occurs twice, with empty and with non-empty shares. With pipelines, {@link PipelineSizes}
 * chooses. A plan without chunks has one size, 0.
 *
 * @param cellsPerChunk cells of a chunk
 * @param cellsPerIteration cells of one iteration of a pipeline
 */
public record CheckedSize(int cellsPerChunk, int cellsPerIteration) {
    /** Greatest number of shares for which chunks of every number of cells are tried. */
    private static final int MAX_SHARES = 32;

    /** The scenarios for which a plan must be verified. */
    public static List<CheckedSize> of(Plan plan) {
        if (LaunchGeometry.chunksPerSlice(plan) == 0) {
            return List.of(new CheckedSize(0, 1));
        }
        int shares = shares(plan);
        int unit = Math.min(shares, 2 * MAX_SHARES);
        PipelineSizes pipelines = new PipelineSizes(plan);
        Set<CheckedSize> scenarios =
                new LinkedHashSet<>(pipelines.of(unit)); // sizes that divide evenly give the shortest messages
        if (pipelines.isEmpty()) {
            scenarios.add(new CheckedSize(unit, unit));
        }
        int most = shares > MAX_SHARES ? 3 : 2 * shares - 1;
        IntStream.rangeClosed(1, most)
                .mapToObj(cells -> new CheckedSize(cells, unit))
                .forEach(scenarios::add);
        scenarios.add(new CheckedSize(unit + (shares > 1 ? 1 : 0), unit));
        return pipelines.possible(scenarios);
    }

    /** Describes what a proof leaves open: sizes that were not tried. */
    public static List<String> untried(Plan plan) {
        int shares = shares(plan);
        List<String> ofGroups = shares > MAX_SHARES
                ? List.of("groups of blocks divide chunks into up to " + shares
                        + " equal parts; only some sizes of chunks were tried, not every remainder")
                : List.of();
        return Stream.concat(ofGroups.stream(), new PipelineSizes(plan).untried().stream())
                .toList();
    }

    /** The least number of parts that divides evenly among all groups of blocks. */
    private static int shares(Plan plan) {
        return operations(plan)
                .filter(Operation.Data.class::isInstance)
                .mapToInt(operation -> ((Operation.Data) operation).share().groupSize())
                .distinct()
                .reduce(1, (a, b) -> (int) Math.min((long) a / greatestCommonDivisor(a, b) * b, Integer.MAX_VALUE / 2));
    }

    private static Stream<Operation> operations(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .flatMap(operation -> operation instanceof Operation.Pipeline pipeline
                        ? pipeline.operations().stream()
                        : Stream.of(operation));
    }

    /** Number of iterations of a pipeline. */
    public int iterations(Operation.Pipeline pipeline) {
        long cells = (long) pipeline.chunks() * cellsPerChunk;
        return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(cells, (long) cellsPerIteration));
    }

    /** Iterations of the longest pipeline; 0 if there is none. */
    public int longest(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .mapToInt(operation -> operation instanceof Operation.Pipeline pipeline ? iterations(pipeline) : 0)
                .max()
                .orElse(0);
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
