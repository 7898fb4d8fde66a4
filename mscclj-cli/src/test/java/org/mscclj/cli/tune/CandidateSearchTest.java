package org.mscclj.cli.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ProgramRanking;
import org.mscclj.plan.preference.ProgramPreference;

/** The search for the fastest candidates, with given times. */
class CandidateSearchTest {
    private static final String SCRATCH = ShippedProgram.SCRATCH.label();

    private final List<Candidate> trials = new ArrayList<>();
    private final Set<String> wrong = new HashSet<>();

    private static CandidateSpace space(int mostThreads) {
        return new CandidateSpace(
                ProgramSpec.of(Collective.ALLREDUCE, 2),
                true,
                1 << 20,
                new ProgramRanking(ProgramPreference.GPU),
                mostThreads,
                Map.of("own", AllowedArguments.sizes(List.of(4, 8), List.of(64))));
    }

    private List<TimedCandidate> run(int mostThreads, ToDoubleFunction<Candidate> micros) {
        return run(mostThreads, Map.of(), micros);
    }

    private List<TimedCandidate> run(
            int mostThreads, Map<String, Candidate> before, ToDoubleFunction<Candidate> micros) {
        List<TimedCandidate> found = CandidateSearch.run(space(mostThreads), before, new CandidateSearch.Trial() {
            @Override
            public OptionalDouble micros(Candidate candidate, double fastestMicros) {
                trials.add(candidate);
                double time = micros.applyAsDouble(candidate);
                return Double.isNaN(time) ? OptionalDouble.empty() : OptionalDouble.of(time);
            }

            @Override
            public boolean isRight(Candidate candidate) {
                return !wrong.contains(candidate.name());
            }
        });
        assertEquals(new HashSet<>(trials).size(), trials.size(), "no candidate is tried twice");
        return found;
    }

    /** A program is best with 24 blocks of 256 threads, and so near to it that its direction leads there. */
    private static double valley(Candidate candidate) {
        double blocks = Math.abs(Math.log((double) candidate.blocks() / 24));
        double threads = candidate.threads() == 256 ? 0 : candidate.threads() == 0 ? 0.1 : 0.05;
        return candidate.name().equals(SCRATCH) ? 10 * (1 + blocks + threads) : 25;
    }

    @Test
    void numbersOfThreadsThatAreNotTriedAreTold() {
        assertEquals(Optional.empty(), CandidateSpace.untriedThreads(0));
        assertEquals(Optional.empty(), CandidateSpace.untriedThreads(1024));
        assertEquals(
                Optional.of(
                        "no program is tried with blocks of [768, 1024] threads: kernels of programs are compiled for"
                                + " at most 512 (-Dmscclj.gpu.block.threads)"),
                CandidateSpace.untriedThreads(512));
        run(512, CandidateSearchTest::valley);
        assertTrue(trials.stream().allMatch(trial -> trial.threads() < 512), trials::toString);
        trials.clear();
        run(1024, CandidateSearchTest::valley);
        assertTrue(trials.stream().anyMatch(trial -> trial.threads() == 768), trials::toString);
    }

    @Test
    void theFastestIsFoundWithFewTrials() {
        List<TimedCandidate> found = run(1024, CandidateSearchTest::valley);
        assertEquals(new Candidate(SCRATCH, 24, 256), found.getFirst().candidate());
        int all = ShippedProgram.values().length * 10 * 4;
        assertTrue(trials.size() < all / 4, () -> trials.size() + " of " + all + " were tried");
        assertEquals(
                found.stream().map(TimedCandidate::micros).sorted().toList(),
                found.stream().map(TimedCandidate::micros).toList());
    }

    @Test
    void aProgramThatIsFarBehindIsTriedOnce() {
        List<TimedCandidate> found =
                run(0, candidate -> candidate.name().equals("ring") ? 100 : 10 + candidate.blocks());
        assertEquals(
                1,
                found.stream()
                        .filter(trial -> trial.candidate().name().equals("ring"))
                        .count());
    }

    /** What does nothing is fast. */
    @Test
    void aWrongResultPrunesNoRightOne() {
        List<TimedCandidate> usual =
                run(0, candidate -> candidate.name().equals("own") ? Double.NaN : 10 + candidate.blocks());
        trials.clear();
        wrong.addAll(List.of("own", "ring"));
        List<TimedCandidate> found = run(0, candidate -> candidate.name().equals("own") ? 1 : 10 + candidate.blocks());
        assertEquals(
                usual.stream()
                        .filter(trial -> !wrong.contains(trial.candidate().name()))
                        .toList(),
                found.stream()
                        .filter(trial -> !wrong.contains(trial.candidate().name()))
                        .toList());
        assertFalse(wrong.contains(found.getFirst().candidate().name()), found::toString);
        assertTrue(found.stream().noneMatch(trial -> trial.candidate().name().equals("own")), found::toString);
    }

    /** On a plateau, no number of blocks is better than another one. */
    @Test
    void equalTimesEndASearchSoon() {
        run(0, candidate -> 10);
        for (ShippedProgram program : ShippedProgram.values()) {
            assertTrue(
                    trials.stream()
                                    .filter(trial -> trial.name().equals(program.label()))
                                    .count()
                            <= 5,
                    () -> program + " of " + trials);
        }
    }

    /** Too many blocks do not fit, or need too much scratch. */
    @Test
    void neighboursOfWhatCannotServeAreNotTried() {
        run(0, candidate -> candidate.blocks() > 32 ? Double.NaN : 10 + 1.0 / candidate.blocks());
        for (ShippedProgram program : ShippedProgram.values()) {
            assertTrue(
                    trials.stream()
                                    .filter(trial -> trial.name().equals(program.label()) && trial.blocks() > 32)
                                    .count()
                            <= 2,
                    () -> program + " of " + trials);
        }
        assertTrue(trials.contains(new Candidate(SCRATCH, 32, 0)), trials::toString);
        assertFalse(trials.contains(new Candidate(SCRATCH, 128, 0)), trials::toString);
    }

    /** What was best for half the size is nearly always near the best. */
    @Test
    void theSearchBeginsWithTheBestOfTheSizeBefore() {
        Candidate best = new Candidate(SCRATCH, 48, 0);
        run(0, Map.of(SCRATCH, best), candidate -> 10 + Math.abs(candidate.blocks() - 48));
        List<Candidate> ofScratch =
                trials.stream().filter(trial -> trial.name().equals(SCRATCH)).toList();
        assertEquals(best, ofScratch.getFirst());
        assertTrue(ofScratch.size() <= 3, ofScratch::toString);
    }

    /** A program that was tried once has no best number of blocks. */
    @Test
    void whatWasFarBehindIsNoBeginning() {
        Map<String, Candidate> explored = CandidateSearch.explored(List.of(
                new TimedCandidate(new Candidate(SCRATCH, 8, 256), 10),
                new TimedCandidate(new Candidate(SCRATCH, 4, 0), 11),
                new TimedCandidate(new Candidate("ring", 1, 0), 100)));
        assertEquals(Map.of(SCRATCH, new Candidate(SCRATCH, 8, 0)), explored);
    }

    @Test
    void theChoiceOfTheThresholdsIsAlwaysTried() {
        Candidate untuned = space(0).untuned().orElseThrow();
        run(0, Map.of(untuned.name(), untuned.blocks(128)), candidate -> 10);
        assertEquals(untuned, trials.getFirst());
    }

    /** A native algorithm declares few sizes, and some may be best that are no neighbours. */
    @Test
    void nativeAlgorithmsAreTriedWithAllSizesThatTheyTake() {
        run(1024, candidate -> 10 + candidate.blocks());
        List<Candidate> own =
                trials.stream().filter(trial -> trial.name().equals("own")).toList();
        assertEquals(
                List.of("own", "own@0x64", "own@4", "own@4x64", "own@8", "own@8x64"),
                own.stream().map(Candidate::algorithm).toList());
        trials.clear();
        run(1024, candidate -> candidate.name().equals("own") ? Double.NaN : 10);
        assertEquals(
                1, trials.stream().filter(trial -> trial.name().equals("own")).count());
    }

    /** Devices without threads have names without them; blocks with little work have no use for fewer. */
    @Test
    void threadsAreTriedWhereThereIsWorkForThem() {
        run(0, CandidateSearchTest::valley);
        assertTrue(trials.stream()
                .allMatch(trial -> trial.threads() == 0 || trial.name().equals("own")));
        assertEquals(List.of(256), space(512).threads(new Candidate(SCRATCH, 8, 0)));
        assertEquals(List.of(768, 512, 256), space(1024).threads(new Candidate(SCRATCH, 8, 0)));
        assertEquals(List.of(), space(512).threads(new Candidate(SCRATCH, 512, 0)));
        assertEquals(List.of(), space(512).threads(new Candidate("own", 1, 0)));
    }
}
