package org.mscclj.device.kernels.plan;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The words of a table, some of which are addresses in the input or the output of a rank. So the words for buffers at
 * other addresses follow by additions.
 */
final class MovableWords {
    private final long[] words;
    private final int[] ofInput;
    private final int[] ofOutput;

    private MovableWords(long[] words, int[] ofInput, int[] ofOutput) {
        this.words = words;
        this.ofInput = ofInput;
        this.ofOutput = ofOutput;
    }

    /**
     * Finds the addresses among the words.
     *
     * @param words the words for some buffers
     * @param moved the words for buffers that lie some bytes behind these
     * @param inputBy how far the input lies behind; not 0
     * @param outputBy how far the output lies behind; not 0
     * @return empty if the words differ by anything else
     */
    static Optional<MovableWords> of(long[] words, long[] moved, long inputBy, long outputBy) {
        if (words.length != moved.length) {
            return Optional.empty();
        }
        int[] ofInput = differing(words, moved, inputBy);
        int[] ofOutput = inputBy == outputBy ? new int[0] : differing(words, moved, outputBy);
        long equal = IntStream.range(0, words.length)
                .filter(i -> words[i] == moved[i])
                .count();
        return equal + ofInput.length + ofOutput.length == words.length
                ? Optional.of(new MovableWords(words.clone(), ofInput, ofOutput))
                : Optional.empty();
    }

    private static int[] differing(long[] words, long[] moved, long by) {
        return IntStream.range(0, words.length)
                .filter(i -> moved[i] - words[i] == by)
                .toArray();
    }

    /** Returns the words for buffers that lie some bytes behind the first ones. */
    long[] at(long inputBy, long outputBy) {
        long[] result = Arrays.copyOf(words, words.length);
        for (int i : ofInput) {
            result[i] += inputBy;
        }
        for (int i : ofOutput) {
            result[i] += outputBy;
        }
        return result;
    }
}
