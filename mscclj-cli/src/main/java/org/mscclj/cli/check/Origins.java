package org.mscclj.cli.check;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.element.Reduction;

/**
 * Determines roots and senders that {@link Sources} leave open: among several candidates, the one that agrees with most
 * of the data. Each rank scores the candidates by its own output; the sum over all ranks decides.
 */
final class Origins {
    private static final int SAMPLE = 4096;

    private Origins() {}

    /** Returns, for each rank, how many sampled elements of this rank's output agree with it as the root or sender. */
    static long[] scores(CheckedCall shape, InputData inputs, Elements output, int rank) {
        long sample = Math.min(SAMPLE, shape.count());
        return switch (shape.collective()) {
            case BROADCAST -> scores(shape, root -> agreement(inputs, output, 0, root, 0, sample));
            case SCATTER -> scores(shape, root -> agreement(inputs, output, 0, root, rank * shape.count(), sample));
            case SENDRECV -> scores(shape, sender -> agreement(inputs, output, 0, sender, 0, sample));
            case GATHER ->
                scores(
                        shape,
                        root -> root != rank
                                ? 0
                                : IntStream.range(0, shape.ranks())
                                        .mapToLong(source ->
                                                agreement(inputs, output, source * shape.count(), source, 0, sample))
                                        .sum());
            case REDUCE -> scores(shape, root -> root != rank ? 0 : reduced(shape, inputs, output, sample));
            default -> new long[0];
        };
    }

    /** Returns the first candidate with the highest score. */
    static int best(int[] candidates, long[] scores) {
        int best = candidates[0];
        for (int candidate : candidates) {
            best = scores[candidate] > scores[best] ? candidate : best;
        }
        return best;
    }

    static long[] sum(List<long[]> scores) {
        long[] sum = new long[scores.getFirst().length];
        scores.forEach(one -> Arrays.setAll(sum, i -> sum[i] + one[i]));
        return sum;
    }

    private static long[] scores(CheckedCall shape, IntToLongFunction score) {
        return IntStream.range(0, shape.ranks()).mapToLong(score).toArray();
    }

    /** Returns the number of sampled elements of an output that equal those of an input. */
    private static long agreement(
            InputData inputs, Elements output, long outputOffset, int source, long inputOffset, long sample) {
        long equal = 0;
        for (long i = 0; i < sample; i++) {
            equal += output.get(outputOffset + i) == inputs.bits(source, inputOffset + i) ? 1 : 0;
        }
        return equal;
    }

    private static long reduced(CheckedCall shape, InputData inputs, Elements output, long sample) {
        Reduction reduction = Reduction.of(shape.type(), shape.op(), shape.ranks());
        long right = 0;
        for (long i = 0; i < sample; i++) {
            Definition.reduce(reduction, inputs, shape.ranks(), i);
            right += reduction.accepts(output.get(i)) ? 1 : 0;
        }
        return right;
    }
}
