package org.mscclj.cli.check;

import java.util.ArrayList;
import java.util.List;

/**
 * What was found on one rank.
 *
 * @param rank the rank
 * @param checkedElements elements of its output that were looked at
 * @param wrong how many of them are wrong
 * @param firstWrong the first of them, with what was expected, in words; empty if there are none
 * @param digest of the output's bits, where all ranks must hold the same; 0 elsewhere
 * @param changedInputs elements of its input that the launch changed and should not have
 * @param strayBytes bytes beside its buffers that the launch wrote to
 */
public record RankFindings(
        int rank,
        long checkedElements,
        long wrong,
        String firstWrong,
        long digest,
        long changedInputs,
        long strayBytes) {
    /** Whether nothing was found. */
    public boolean isRight() {
        return wrong == 0 && changedInputs == 0 && strayBytes == 0;
    }

    /** One sentence for each thing that was found. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        if (wrong > 0) {
            sentences.add("wrong result: rank " + rank + ": " + wrong + " of " + checkedElements + " elements; first "
                    + firstWrong);
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
