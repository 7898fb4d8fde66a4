package org.mscclj.cli.check;

import java.util.ArrayList;
import java.util.List;

/**
 * What was found wrong on one rank.
 *
 * @param rank the rank
 * @param wrong wrong elements of its output
 * @param firstWrong the first of them, with what was expected, in words; empty if there are none
 * @param unequal elements that differ in their bits from rank 0's, where all ranks must hold the same
 * @param changedInputs elements of its input that the launch changed and should not have
 * @param strayBytes bytes beside its buffers that the launch wrote to
 */
public record RankFindings(int rank, long wrong, String firstWrong, long unequal, long changedInputs, long strayBytes) {
    /** Whether nothing was found. */
    public boolean isRight() {
        return wrong == 0 && unequal == 0 && changedInputs == 0 && strayBytes == 0;
    }

    /** One sentence for each thing that was found. */
    public List<String> sentences(long elements) {
        List<String> sentences = new ArrayList<>();
        if (wrong > 0) {
            sentences.add(
                    "wrong result: rank " + rank + ": " + wrong + " of " + elements + " elements; first " + firstWrong);
        }
        if (unequal > 0) {
            sentences.add("wrong result: rank " + rank + ": " + unequal + " of " + elements
                    + " elements are right but differ in their bits from rank 0's");
        }
        if (changedInputs > 0) {
            sentences.add(
                    "wrong result: rank " + rank + ": the launch changed " + changedInputs + " elements of the input");
        }
        if (strayBytes > 0) {
            sentences.add(
                    "wrong result: rank " + rank + ": the launch wrote to " + strayBytes + " bytes beside its buffers");
        }
        return sentences;
    }
}
