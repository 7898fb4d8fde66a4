package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.language.selection.ProgramRanking;

/**
 * The candidates for a message: every program that serves the call within a node, with each number of blocks and of
 * threads.
 *
 * @param spec the call
 * @param registered whether the ranks access each other's buffers
 * @param messageBytes the size of the message
 * @param ranking the thresholds of the device
 * @param mostThreads the most threads of a block that the device launches; 0 if its blocks have none
 */
record CandidateSpace(
        ProgramSpec spec, boolean registered, long messageBytes, ProgramRanking ranking, int mostThreads) {
    private static final int[] BLOCKS = {1, 2, 4, 8, 16, 24, 32, 48, 64, 128};
    private static final int[] THREADS = {256, 512, 768, 1024};

    /** The least work of a thread, in bytes. */
    private static final int UNIT = 8;

    /**
     * Returns a candidate of each program, with which its search begins: the one that is best for the next smaller
     * size, or else the number of blocks of the thresholds. The first one is the choice of the thresholds.
     *
     * @param before the best candidates of the next smaller size
     */
    List<Candidate> starts(Map<ShippedProgram, Candidate> before) {
        List<Candidate> starts = new ArrayList<>();
        Optional<Candidate> untuned = untuned();
        untuned.ifPresent(starts::add);
        for (ShippedProgram program : ShippedProgram.values()) {
            if (untuned.map(Candidate::program).equals(Optional.of(program)) || !isTried(program)) {
                continue;
            }
            starts.add(before.getOrDefault(
                    program, new Candidate(program, ranking.blocks(program, spec, messageBytes), 0)));
        }
        return starts;
    }

    /** Returns the choice of the thresholds; empty if none of them serves the call. */
    Optional<Candidate> untuned() {
        return DefaultPrograms.find(spec, registered, messageBytes, ranking.preference())
                .map(choice -> new Candidate(choice.program(), choice.spec().blocks(), 0));
    }

    /** A program in lines is tried only where the device has lines; others need nodes or a switch. */
    private boolean isTried(ShippedProgram program) {
        return program != ShippedProgram.TWO_LEVEL
                && !program.usesSwitch()
                && (ranking.preference().hasLines() || !program.usesLines())
                && program.collectives().contains(spec.collective())
                && program.refusal(spec).isEmpty();
    }

    /** Returns the numbers of blocks that are tried, ascending, with one that is the beginning of a search. */
    static List<Integer> blocks(int start) {
        return IntStream.concat(IntStream.of(BLOCKS), IntStream.of(start))
                .sorted()
                .distinct()
                .boxed()
                .toList();
    }

    /**
     * Returns the numbers of threads that are tried beside the engine's number, which is the greatest, descending:
     * those that a block with its share of the message has work for.
     */
    List<Integer> threads(int blocks) {
        return IntStream.of(THREADS)
                .filter(threads -> threads < mostThreads && messageBytes / blocks > (long) threads * UNIT)
                .map(threads -> -threads)
                .sorted()
                .map(threads -> -threads)
                .boxed()
                .toList();
    }
}
