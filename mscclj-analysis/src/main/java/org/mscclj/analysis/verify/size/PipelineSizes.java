package org.mscclj.analysis.verify.size;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;

/**
 * Chooses the sizes for which pipelines are verified: from one to several iterations, and as many more as the spare
 * signals of counters cover ({@link PipelineCredits}), within the plan's limits on message sizes. Spare signals hide a
 * missing signal until they are used up. Pipelines over different numbers of chunks meet in all ratios.
 */
public final class PipelineSizes {
    /** Iterations, so that repeated accesses meet their predecessors twice. */
    private static final int ITERATIONS = 3;

    /** Bound on the operations of all sizes together, some seconds. */
    private static final long MAX_OPERATIONS = 1_000_000;

    /** Greatest number of fractions of an iteration that are tried as the size of a chunk. */
    private static final int MAX_PARTS = 64;

    private final Plan plan;
    private final List<Operation.Pipeline> pipelines;
    private final long credits;

    public PipelineSizes(Plan plan) {
        this.plan = plan;
        this.pipelines = plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .flatMap(operation ->
                        operation instanceof Operation.Pipeline pipeline ? Stream.of(pipeline) : Stream.empty())
                .toList();
        this.credits = pipelines.isEmpty() ? 0 : PipelineCredits.of(plan);
    }

    public boolean isEmpty() {
        return pipelines.isEmpty();
    }

    /** Iterations that use up all spare signals and show the state after that. */
    private long iterations() {
        return Math.min(ITERATIONS + credits, maxIterations());
    }

    private boolean isTooLong() {
        return operations(iterations()) > MAX_OPERATIONS;
    }

    /** The scenarios to verify, if {@code unit} cells divide evenly among the blocks of each group. */
    public Set<CheckedSize> of(int unit) {
        Set<CheckedSize> sizes = new LinkedHashSet<>();
        if (pipelines.isEmpty()) {
            return sizes;
        }
        sizes.add(new CheckedSize(unit * ITERATIONS, unit));
        sizes.add(new CheckedSize(unit * ITERATIONS + 1, unit));
        sizes.add(new CheckedSize(unit, Math.multiplyExact(unit, maxChunks())));
        long left = MAX_OPERATIONS;
        if (!isTooLong()) {
            left -= add(sizes, unit, (int) iterations(), 1);
            for (int count = (int) minIterations(); count < iterations() && left > 0; count++) {
                left -= add(sizes, unit, count, 1);
            }
        }
        int parts = parts();
        for (int count = 1; count <= 2 * parts && left > 0; count++) {
            left -= add(sizes, unit, count, parts);
        }
        return sizes;
    }

    /** Adds chunks of {@code count / parts} iterations; returns their number of operations. */
    private long add(Set<CheckedSize> sizes, int unit, int count, int parts) {
        sizes.add(new CheckedSize(Math.multiplyExact(unit, count), Math.multiplyExact(unit, parts)));
        return operations(Math.ceilDiv(count, parts));
    }

    private long operations(long iterations) {
        return pipelines.stream()
                .mapToLong(pipeline -> clamped(
                        clamped(iterations, pipeline.chunks()),
                        pipeline.operations().size()))
                .reduce(0, (a, b) -> Math.min(a + b, Long.MAX_VALUE / 2));
    }

    private static long clamped(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 ? Math.min(a * b & Long.MAX_VALUE, Long.MAX_VALUE / 2) : Long.MAX_VALUE / 2;
    }

    private int maxChunks() {
        return pipelines.stream()
                .mapToInt(pipeline -> Math.clamp(pipeline.chunks(), 1, 1 << 16))
                .max()
                .orElse(1);
    }

    /**
     * Number of parts of an iteration such that no pipeline's number of iterations changes between two multiples of a
     * part.
     */
    private int parts() {
        long common = 1;
        for (Operation.Pipeline pipeline : pipelines) {
            int chunks = Math.clamp(pipeline.chunks(), 1, MAX_PARTS);
            common = common / greatestCommonDivisor(common, chunks) * chunks;
            if (common > MAX_PARTS) {
                return Math.min(MAX_PARTS, maxChunks());
            }
        }
        return (int) common;
    }

    private static long greatestCommonDivisor(long a, long b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    /** The sizes that the plan's limits on message sizes allow; all sizes if none is allowed. */
    public List<CheckedSize> possible(Collection<CheckedSize> sizes) {
        List<CheckedSize> possible = sizes.stream()
                .filter(size -> pipelines.stream()
                        .allMatch(pipeline -> size.iterations(pipeline) <= most(pipeline)
                                && size.iterations(pipeline) >= least(pipeline)))
                .toList();
        return possible.isEmpty() ? List.copyOf(sizes) : possible;
    }

    private long maxIterations() {
        return pipelines.stream()
                .filter(pipeline -> pipeline.chunks() > 0)
                .mapToLong(pipeline -> Math.ceilDiv(most(pipeline), pipeline.chunks()))
                .max()
                .orElse(ITERATIONS);
    }

    private long minIterations() {
        long least = pipelines.stream()
                .filter(pipeline -> pipeline.chunks() > 0)
                .mapToLong(pipeline -> Math.ceilDiv(least(pipeline), pipeline.chunks()))
                .min()
                .orElse(1);
        return Math.max(1, Math.min(least, iterations())); // a launch of no bytes runs nothing
    }

    private long most(Operation.Pipeline pipeline) {
        if (plan.maxMessageSize() < 0 || plan.collective() == Collective.TEST) { // unsigned: exceeds any memory
            return Long.MAX_VALUE;
        }
        return iterations(pipeline, plan.maxMessageSize() / slices());
    }

    private long least(Operation.Pipeline pipeline) {
        boolean scratch = plan.ranks().stream().anyMatch(rank -> rank.scratchChunks() > 0);
        if (scratch || plan.minMessageSize() < 0 || plan.collective() == Collective.TEST) {
            return 0; // the last round may have any size
        }
        return iterations(pipeline, Math.ceilDiv(plan.minMessageSize(), slices()));
    }

    private long iterations(Operation.Pipeline pipeline, long sliceBytes) {
        long chunk = LaunchGeometry.chunkBytes(sliceBytes, LaunchGeometry.chunksPerSlice(plan), plan.bufferAlignment());
        return Math.ceilDiv(clamped(chunk, pipeline.chunks()), pipeline.unitSize());
    }

    /** Slices of the buffer that defines the message size. */
    private int slices() {
        return plan.collective() == Collective.ALLGATHER
                ? plan.collective().outputSlices(plan.worldSize())
                : plan.collective().inputSlices(plan.worldSize());
    }

    /** Describes what a proof leaves open. */
    public List<String> untried() {
        return pipelines.isEmpty()
                ? List.of()
                : List.of("has pipelines, which were tried with one to several iterations, not with every number");
    }

    /** The finding if the iterations that use up all spare signals are not followed. */
    public List<Finding> undecided() {
        List<Finding> findings = new ArrayList<>();
        if (!pipelines.isEmpty() && isTooLong()) {
            findings.add(new Finding(
                    Finding.Kind.UNDECIDED,
                    "pipelines wait for semaphores and channels that have " + credits
                            + " spare signals, and the behaviour after that number of iterations,"
                            + " when they are used up, was not"
                            + " followed; use smaller initial values"));
        }
        return findings;
    }
}
