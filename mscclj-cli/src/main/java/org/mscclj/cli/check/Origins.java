package org.mscclj.cli.check;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.element.Reduction;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * What a plan does not state in so many words: the root of a rooted collective, and where each output of a sendrecv comes from.
 * Candidates come from the plan; if there are several, the one that most of the data agrees with is meant.
 */
final class Origins {
    private static final int SAMPLE = 4096;

    private final CallShape shape;
    private final InputData inputs;
    private final List<Elements> outputs;
    private final long sample;

    Origins(CallShape shape, InputData inputs, List<Elements> outputs) {
        this.shape = shape;
        this.inputs = inputs;
        this.outputs = outputs;
        this.sample = Math.min(SAMPLE, shape.count());
    }

    /** For each rank the other rank whose input its output must equal. */
    int[] senders() {
        return IntStream.range(0, shape.ranks())
                .map(rank -> best(senderCandidates(shape.plan(), rank), sender -> agreement(rank, 0, sender, 0)))
                .toArray();
    }

    /** The rank whose input is everybody's output, in whole or by slices. */
    int rootOfInputs() {
        return best(
                allRanks(),
                root -> IntStream.range(0, shape.ranks())
                        .mapToLong(rank -> agreement(
                                rank,
                                0,
                                root,
                                shape.collective().inputSlices(shape.ranks()) > 1 ? rank * shape.count() : 0))
                        .sum());
    }

    /** The rank whose output is all inputs in rank order. */
    int rootOfGather() {
        return best(
                allRanks(),
                root -> IntStream.range(0, shape.ranks())
                        .mapToLong(rank -> agreement(root, rank * shape.count(), rank, 0))
                        .sum());
    }

    /** The rank whose output is the reduction. */
    int rootOfReduce() {
        Reduction reduction = Reduction.of(shape.type(), shape.op(), shape.ranks());
        return best(allRanks(), root -> {
            long right = 0;
            for (long i = 0; i < sample; i++) {
                Definition.reduce(reduction, inputs, shape.ranks(), i);
                right += reduction.accepts(outputs.get(root).get(i)) ? 1 : 0;
            }
            return right;
        });
    }

    private int[] allRanks() {
        return IntStream.range(0, shape.ranks()).toArray();
    }

    /** Elements of an output that equal those of an input. */
    private long agreement(int rank, long outputOffset, int source, long inputOffset) {
        long equal = 0;
        for (long i = 0; i < sample; i++) {
            equal += outputs.get(rank).get(outputOffset + i) == inputs.bits(source, inputOffset + i) ? 1 : 0;
        }
        return equal;
    }

    /** The first of those with the highest score. */
    private static int best(int[] candidates, IntToLongFunction score) {
        if (candidates.length == 1) {
            return candidates[0];
        }
        long[] scores = Arrays.stream(candidates).mapToLong(score).toArray();
        int best = 0;
        for (int i = 1; i < candidates.length; i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        return candidates[best];
    }

    /** The ranks that can write into a rank's output or scratch, and those whose input or scratch it can read. */
    private static int[] senderCandidates(Plan plan, int rank) {
        int[] others = IntStream.range(0, plan.worldSize())
                .filter(other -> other != rank)
                .toArray();
        int[] connected = Arrays.stream(others)
                .filter(other -> accesses(plan, other, rank, BufferType.OUTPUT)
                        || accesses(plan, other, rank, BufferType.SCRATCH)
                        || accesses(plan, rank, other, BufferType.INPUT)
                        || accesses(plan, rank, other, BufferType.SCRATCH))
                .toArray();
        return connected.length > 0 ? connected : others;
    }

    private static boolean accesses(Plan plan, int rank, int peer, BufferType buffer) {
        return plan.ranks().get(rank).remoteBuffers().stream()
                .anyMatch(remote -> remote.rank() == peer && remote.buffer() == buffer);
    }
}
