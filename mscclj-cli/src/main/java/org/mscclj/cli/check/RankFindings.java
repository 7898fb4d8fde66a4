package org.mscclj.cli.check;

import java.util.ArrayList;
import java.util.List;

/**
 * The findings on one rank.
 *
 * @param rank the rank
 * @param checkedElements number of checked elements of its output
 * @param wrong number of wrong elements among them
 * @param firstWrong a description of the first wrong element and of the expected value; empty if there is none
 * @param digest digest of the output's bits, where all ranks must hold the same; 0 elsewhere
 * @param changedInputs number of elements of its input that the launch changed although it must not
 * @param strayBytes number of bytes outside its buffers that the launch has written
 */
public record RankFindings(
        int rank,
        long checkedElements,
        long wrong,
        String firstWrong,
        long digest,
        long changedInputs,
        long strayBytes) {
    /** Whether there are no findings. */
    public boolean isRight() {
        return wrong == 0 && changedInputs == 0 && strayBytes == 0;
    }

    /** Returns one sentence for each finding. */
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
                    "wrong result: rank " + rank + ": the launch wrote " + strayBytes + " bytes outside its buffers");
        }
        return sentences;
    }
}
