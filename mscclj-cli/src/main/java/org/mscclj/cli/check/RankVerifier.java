package org.mscclj.cli.check;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.element.Reduction;

/**
 * Compares one rank's output with the definition of the collective; the inputs of other ranks are computed again from
 * the seed. All cores share the work. Of an output larger than {@value #FULL_BYTES} bytes only some blocks are checked,
 * the first and the last among them.
 */
public final class RankVerifier {
    /** Outputs up to this size are checked in full. */
    public static final long FULL_BYTES = 64L << 20;

    private static final int BLOCK = 1 << 14;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final CheckedCall shape;
    private final InputData inputs;
    private final RankMemory memory;
    private final Elements output;
    private final int rank;

    /** Creates a verifier of the results of one launch on one rank. */
    public RankVerifier(CheckedCall shape, InputData inputs, RankMemory memory, int rank) {
        this.shape = shape;
        this.inputs = inputs;
        this.memory = memory;
        this.output = new Elements(memory.output(), shape.type());
        this.rank = rank;
    }

    /** Scores candidates for an unknown root or sender by this rank's output; see {@link Definition#of}. */
    public long[] scores() {
        return Origins.scores(shape, inputs, output, rank);
    }

    /** Checks the output, the input and the guard zones. */
    public RankFindings verify(Definition definition) {
        Tally wrong = new Tally();
        Tally changed = new Tally();
        AtomicLong digest = new AtomicLong();
        long checked = 0;
        if (definition.defines(rank)) {
            checked = overBlocks(shape.outputCount(), (from, to) -> {
                if (definition.reduces()) {
                    checkReduced(definition, from, to, wrong);
                } else {
                    checkMoved(definition, from, to, wrong);
                }
                if (shape.collective() == Collective.ALLREDUCE) {
                    digest.addAndGet(digest(from, to));
                }
            });
        }
        if (!shape.inPlace() && shape.collective() != Collective.TEST) {
            overBlocks(shape.inputCount(), (from, to) -> checkInput(from, to, changed));
        }
        return new RankFindings(
                rank,
                checked,
                wrong.count(),
                describe(definition, wrong),
                digest.get(),
                changed.count(),
                memory.strayBytes());
    }

    @FunctionalInterface
    private interface BlockCheck {
        void run(long from, long to);
    }

    /** Runs a check over blocks of positions, in parallel; returns the number of positions. */
    private long overBlocks(long positions, BlockCheck check) {
        long blocks = (positions + BLOCK - 1) / BLOCK;
        long stride = Math.max(1, positions * shape.type().byteSize() / FULL_BYTES);
        LongUnaryOperator end = block -> Math.min(positions, (block + 1) * BLOCK);
        return LongStream.range(0, blocks)
                .parallel()
                // At uneven distances: chunks lie at even ones, and blocks should hit them at different offsets.
                .filter(block -> block == 0 || block == blocks - 1 || spread(block) % stride == 0)
                .map(block -> {
                    check.run(block * BLOCK, end.applyAsLong(block));
                    return end.applyAsLong(block) - block * BLOCK;
                })
                .sum();
    }

    private static long spread(long block) {
        return (block * GOLDEN) >>> 33;
    }

    private void checkMoved(Definition definition, long from, long to, Tally wrong) {
        for (long i = from; i < to; i++) {
            if (output.get(i) != inputs.bits(definition.sourceRank(rank, i), definition.sourcePosition(rank, i))) {
                wrong.add(i);
            }
        }
    }

    private void checkReduced(Definition definition, long from, long to, Tally wrong) {
        Reduction reduction = Reduction.of(shape.type(), shape.op(), shape.ranks());
        for (long i = from; i < to; i++) {
            Definition.reduce(reduction, inputs, shape.ranks(), definition.reducedFrom(rank, i));
            if (!reduction.accepts(output.get(i))) {
                wrong.add(i);
            }
        }
    }

    /**
     * Returns the digest of a block. It depends on the position, so that the digests of blocks can be added in any
     * order.
     */
    private long digest(long from, long to) {
        long digest = from;
        for (long i = from; i < to; i++) {
            digest = Long.rotateLeft(digest ^ output.get(i), 23) * GOLDEN;
        }
        return digest;
    }

    private void checkInput(long from, long to, Tally changed) {
        Elements input = new Elements(memory.input(), shape.type());
        for (long i = from; i < to; i++) {
            if (input.get(i) != inputs.bits(rank, i)) {
                changed.add(i);
            }
        }
    }

    private String describe(Definition definition, Tally wrong) {
        if (wrong.count() == 0) {
            return "";
        }
        long position = wrong.first();
        long actual = output.get(position);
        if (definition.reduces()) {
            Reduction reduction = Reduction.of(shape.type(), shape.op(), shape.ranks());
            Definition.reduce(reduction, inputs, shape.ranks(), definition.reducedFrom(rank, position));
            return "element " + position + ": expected " + reduction.expected() + ", is " + reduction.text(actual);
        }
        int source = definition.sourceRank(rank, position);
        long sourcePosition = definition.sourcePosition(rank, position);
        return String.format(
                Locale.ROOT,
                "element %d: expected 0x%x, element %d of rank %d's input, is 0x%x",
                position,
                inputs.bits(source, sourcePosition),
                sourcePosition,
                source,
                actual);
    }

    /** A counter of positions, which keeps the lowest one. Safe for use by several threads. */
    private static final class Tally {
        private long count;
        private long first = Long.MAX_VALUE;

        synchronized void add(long position) {
            count++;
            first = Math.min(first, position);
        }

        synchronized long count() {
            return count;
        }

        synchronized long first() {
            return first;
        }
    }
}
