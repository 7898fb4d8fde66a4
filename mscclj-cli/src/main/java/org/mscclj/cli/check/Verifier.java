package org.mscclj.cli.check;

import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.element.Reduction;

/**
 * Compares the outputs of all ranks with the definition of the collective. The work is split by positions, so that an element
 * that all ranks share is computed once, over all cores. Of outputs larger than {@value #FULL_BYTES} bytes only some blocks are
 * looked at, the first and the last among them.
 */
public final class Verifier {
    /** Outputs up to this size are checked in full. */
    public static final long FULL_BYTES = 64L << 20;

    private static final int BLOCK = 1 << 14;

    private final CallShape shape;
    private final InputData inputs;
    private final List<RankMemory> memory;
    private final List<Elements> outputs;
    private final Definition definition;

    /** A verifier of what one launch left behind. */
    public Verifier(CallShape shape, InputData inputs, List<RankMemory> memory) {
        this.shape = shape;
        this.inputs = inputs;
        this.memory = List.copyOf(memory);
        this.outputs = memory.stream()
                .map(rank -> new Elements(rank.output(), shape.type()))
                .toList();
        this.definition = Definition.of(shape, inputs, outputs);
    }

    /** Checks outputs, inputs and what lies around them. */
    public Verdict verify() {
        List<Tally> wrong = tallies();
        List<Tally> unequal = tallies();
        List<Tally> changed = tallies();
        long checked = 0;
        if (definition.reduces() || IntStream.range(0, shape.ranks()).anyMatch(definition::defines)) {
            checked = overBlocks(shape.outputCount(), (from, to) -> checkOutputs(from, to, wrong, unequal));
        }
        if (!shape.plan().inPlace() && shape.collective() != Collective.TEST) {
            overBlocks(shape.inputCount(), (from, to) -> checkInputs(from, to, changed));
        }
        return new Verdict(
                IntStream.range(0, shape.ranks())
                        .mapToObj(rank -> new RankFindings(
                                rank,
                                wrong.get(rank).count(),
                                describe(rank, wrong.get(rank)),
                                unequal.get(rank).count(),
                                changed.get(rank).count(),
                                memory.get(rank).strayBytes()))
                        .toList(),
                checked,
                shape.outputCount());
    }

    private List<Tally> tallies() {
        return IntStream.range(0, shape.ranks()).mapToObj(rank -> new Tally()).toList();
    }

    @FunctionalInterface
    private interface BlockCheck {
        void run(long from, long to);
    }

    /** Runs a check over blocks of positions, in parallel; returns how many positions that were. */
    private long overBlocks(long positions, BlockCheck check) {
        long blocks = (positions + BLOCK - 1) / BLOCK;
        long stride = Math.max(1, positions * shape.type().byteSize() / FULL_BYTES);
        LongUnaryOperator end = block -> Math.min(positions, (block + 1) * BLOCK);
        return LongStream.range(0, blocks)
                .parallel()
                // Not at even distances: chunks are, and their borders should be hit in different places.
                .filter(block -> block == 0 || block == blocks - 1 || spread(block) % stride == 0)
                .map(block -> {
                    check.run(block * BLOCK, end.applyAsLong(block));
                    return end.applyAsLong(block) - block * BLOCK;
                })
                .sum();
    }

    private static long spread(long block) {
        return (block * 0x9e3779b97f4a7c15L) >>> 33;
    }

    private void checkOutputs(long from, long to, List<Tally> wrong, List<Tally> unequal) {
        if (!definition.reduces()) {
            checkMoved(from, to, wrong);
        } else if (shape.collective().inputSlices(shape.ranks()) == 1) {
            checkReducedAlike(from, to, wrong, unequal);
        } else {
            checkReducedApart(from, to, wrong);
        }
    }

    private void checkMoved(long from, long to, List<Tally> wrong) {
        for (int rank = 0; rank < shape.ranks(); rank++) {
            if (!definition.defines(rank)) {
                continue;
            }
            Elements output = outputs.get(rank);
            for (long i = from; i < to; i++) {
                if (output.get(i) != inputs.bits(definition.sourceRank(rank, i), definition.sourcePosition(rank, i))) {
                    wrong.get(rank).add(i);
                }
            }
        }
    }

    /** Every output is the same reduction. */
    private void checkReducedAlike(long from, long to, List<Tally> wrong, List<Tally> unequal) {
        Reduction reduction = Reduction.of(shape.type(), shape.op(), shape.ranks());
        for (long i = from; i < to; i++) {
            Definition.reduce(reduction, inputs, shape.ranks(), i);
            long ofRank0 = outputs.getFirst().get(i);
            for (int rank = 0; rank < shape.ranks(); rank++) {
                if (!definition.defines(rank)) {
                    continue;
                }
                long actual = outputs.get(rank).get(i);
                if (!reduction.accepts(actual)) {
                    wrong.get(rank).add(i);
                } else if (actual != ofRank0 && definition.defines(0) && reduction.accepts(ofRank0)) {
                    unequal.get(rank).add(i);
                }
            }
        }
    }

    /** Every output is another slice of the reduction. */
    private void checkReducedApart(long from, long to, List<Tally> wrong) {
        Reduction reduction = Reduction.of(shape.type(), shape.op(), shape.ranks());
        for (int rank = 0; rank < shape.ranks(); rank++) {
            for (long i = from; i < to; i++) {
                Definition.reduce(reduction, inputs, shape.ranks(), definition.reducedFrom(rank, i));
                if (!reduction.accepts(outputs.get(rank).get(i))) {
                    wrong.get(rank).add(i);
                }
            }
        }
    }

    private void checkInputs(long from, long to, List<Tally> changed) {
        for (int rank = 0; rank < shape.ranks(); rank++) {
            Elements input = new Elements(memory.get(rank).input(), shape.type());
            for (long i = from; i < to; i++) {
                if (input.get(i) != inputs.bits(rank, i)) {
                    changed.get(rank).add(i);
                }
            }
        }
    }

    private String describe(int rank, Tally wrong) {
        if (wrong.count() == 0) {
            return "";
        }
        long position = wrong.first();
        long actual = outputs.get(rank).get(position);
        if (definition.reduces()) {
            Reduction reduction = Reduction.of(shape.type(), shape.op(), shape.ranks());
            Definition.reduce(reduction, inputs, shape.ranks(), definition.reducedFrom(rank, position));
            return "element " + position + ": expected " + reduction.expected() + ", is " + reduction.text(actual);
        }
        int source = definition.sourceRank(rank, position);
        long sourcePosition = definition.sourcePosition(rank, position);
        return "element %d: expected 0x%x, element %d of rank %d's input, is 0x%x"
                .formatted(position, inputs.bits(source, sourcePosition), sourcePosition, source, actual);
    }

    /** A count, and the least position counted. Safe for use by several threads. */
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
