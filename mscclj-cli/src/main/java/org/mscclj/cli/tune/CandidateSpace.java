package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.language.selection.ProgramRanking;

/**
 * The candidates for a message: every program that serves the call within a node, with each number of blocks and of
 * threads, and every native algorithm, with the sizes that it takes.
 *
 * @param spec the call
 * @param registered whether the ranks access each other's buffers
 * @param messageBytes the size of the message
 * @param ranking the thresholds of the device
 * @param mostThreads the most threads of a block that the device launches; 0 if its blocks have none
 * @param natives the native algorithms of the collective
 */
record CandidateSpace(
        ProgramSpec spec,
        boolean registered,
        long messageBytes,
        ProgramRanking ranking,
        int mostThreads,
        Map<String, AllowedArguments> natives) {
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
    List<Candidate> starts(Map<String, Candidate> before) {
        List<Candidate> starts = new ArrayList<>();
        Optional<Candidate> untuned = untuned();
        untuned.ifPresent(starts::add);
        for (ShippedProgram program : ShippedProgram.values()) {
            if (untuned.map(Candidate::name).equals(Optional.of(program.label())) || !isTried(program)) {
                continue;
            }
            starts.add(before.getOrDefault(
                    program.label(), new Candidate(program.label(), ranking.blocks(program, spec, messageBytes), 0)));
        }
        natives.keySet().forEach(name -> starts.add(new Candidate(name, 0, 0)));
        return starts;
    }

    /** Returns the choice of the thresholds; empty if none of them serves the call. */
    Optional<Candidate> untuned() {
        return DefaultPrograms.find(spec, registered, messageBytes, ranking.preference())
                .map(choice ->
                        new Candidate(choice.program().label(), choice.spec().blocks(), 0));
    }

    /** A program in lines is tried only where the device has lines, and one of a switch where that reduces. */
    private boolean isTried(ShippedProgram program) {
        return program != ShippedProgram.TWO_LEVEL
                && (ranking.preference().switches() || !program.usesSwitch())
                && (ranking.preference().hasLines() || !program.usesLines())
                && program.collectives().contains(spec.collective())
                && program.refusal(spec).isEmpty();
    }

    /** Whether a candidate is a native algorithm. */
    boolean isNative(Candidate candidate) {
        return natives.containsKey(candidate.name());
    }

    /** Returns the sizes of a native algorithm that are tried beside its own choice, which the candidate is. */
    List<Candidate> sizes(Candidate ofNative) {
        AllowedArguments allowed = natives.getOrDefault(ofNative.name(), AllowedArguments.NONE);
        return Stream.concat(Stream.of(0), allowed.blocks().stream())
                .flatMap(blocks -> Stream.concat(Stream.of(0), allowed.threadsPerBlock().stream())
                        .map(threads -> new Candidate(ofNative.name(), blocks, threads)))
                .skip(1)
                .toList();
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
     * Says which numbers of threads no program is tried with, and why; empty if all are tried, or if blocks have no
     * threads.
     *
     * @param mostThreads the most threads of a block that the device launches; 0 if its blocks have none
     */
    static Optional<String> untriedThreads(int mostThreads) {
        List<Integer> untried = IntStream.of(THREADS)
                .filter(threads -> threads > mostThreads)
                .boxed()
                .toList();
        return mostThreads == 0 || untried.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "no program is tried with blocks of " + untried + " threads: kernels of programs are compiled"
                                + " for at most " + mostThreads + " (-Dmscclj.gpu.block.threads)");
    }

    /**
     * Returns the numbers of threads that are tried beside the engine's number, which is the greatest, descending:
     * those that a block with its share of the message has work for.
     */
    List<Integer> threads(Candidate of) {
        if (isNative(of)) {
            return List.of(); // they were tried
        }
        return IntStream.of(THREADS)
                .filter(threads -> threads < mostThreads && messageBytes / of.blocks() > (long) threads * UNIT)
                .map(threads -> -threads)
                .sorted()
                .map(threads -> -threads)
                .boxed()
                .toList();
    }
}
