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
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ProgramRanking;
import org.mscclj.plan.preference.ProgramPreference;

/** The search for the fastest candidates, with given times. */
class CandidateSearchTest {
    private final List<Candidate> trials = new ArrayList<>();

    private static CandidateSpace space(int mostThreads) {
        return new CandidateSpace(
                ProgramSpec.of(Collective.ALLREDUCE, 2),
                true,
                1 << 20,
                new ProgramRanking(ProgramPreference.GPU),
                mostThreads);
    }

    private List<TimedCandidate> run(int mostThreads, ToDoubleFunction<Candidate> micros) {
        return run(mostThreads, Map.of(), micros);
    }

    private List<TimedCandidate> run(
            int mostThreads, Map<ShippedProgram, Candidate> before, ToDoubleFunction<Candidate> micros) {
        List<TimedCandidate> found = CandidateSearch.run(space(mostThreads), before, (candidate, _) -> {
            trials.add(candidate);
            double time = micros.applyAsDouble(candidate);
            return Double.isNaN(time) ? OptionalDouble.empty() : OptionalDouble.of(time);
        });
        assertEquals(new HashSet<>(trials).size(), trials.size(), "no candidate is tried twice");
        return found;
    }

    /** A program is best with 24 blocks of 256 threads, and so near to it that its direction leads there. */
    private static double valley(Candidate candidate) {
        double blocks = Math.abs(Math.log((double) candidate.blocks() / 24));
        double threads = candidate.threads() == 256 ? 0 : candidate.threads() == 0 ? 0.1 : 0.05;
        return candidate.program() == ShippedProgram.SCRATCH ? 10 * (1 + blocks + threads) : 25;
    }

    @Test
    void theFastestIsFoundWithFewTrials() {
        List<TimedCandidate> found = run(1024, CandidateSearchTest::valley);
        assertEquals(
                new Candidate(ShippedProgram.SCRATCH, 24, 256), found.getFirst().candidate());
        int all = ShippedProgram.values().length * 10 * 4;
        assertTrue(trials.size() < all / 4, () -> trials.size() + " of " + all + " were tried");
        assertEquals(
                found.stream().map(TimedCandidate::micros).sorted().toList(),
                found.stream().map(TimedCandidate::micros).toList());
    }

    @Test
    void aProgramThatIsFarBehindIsTriedOnce() {
        List<TimedCandidate> found =
                run(0, candidate -> candidate.program() == ShippedProgram.RING ? 100 : 10 + candidate.blocks());
        assertEquals(
                1,
                found.stream()
                        .filter(trial -> trial.candidate().program() == ShippedProgram.RING)
                        .count());
    }

    /** Too many blocks do not fit, or need too much scratch. */
    @Test
    void neighboursOfWhatCannotServeAreNotTried() {
        run(0, candidate -> candidate.blocks() > 32 ? Double.NaN : 10 + 1.0 / candidate.blocks());
        for (ShippedProgram program : ShippedProgram.values()) {
            assertTrue(
                    trials.stream()
                                    .filter(trial -> trial.program() == program && trial.blocks() > 32)
                                    .count()
                            <= 2,
                    () -> program + " of " + trials);
        }
        assertTrue(trials.contains(new Candidate(ShippedProgram.SCRATCH, 32, 0)), trials::toString);
        assertFalse(trials.contains(new Candidate(ShippedProgram.SCRATCH, 128, 0)), trials::toString);
    }

    /** What was best for half the size is nearly always near the best. */
    @Test
    void theSearchBeginsWithTheBestOfTheSizeBefore() {
        Candidate best = new Candidate(ShippedProgram.SCRATCH, 48, 0);
        run(0, Map.of(ShippedProgram.SCRATCH, best), candidate -> 10 + Math.abs(candidate.blocks() - 48));
        List<Candidate> ofScratch = trials.stream()
                .filter(trial -> trial.program() == ShippedProgram.SCRATCH)
                .toList();
        assertEquals(best, ofScratch.getFirst());
        assertTrue(ofScratch.size() <= 3, ofScratch::toString);
    }

    @Test
    void theChoiceOfTheThresholdsIsAlwaysTried() {
        Candidate untuned = space(0).untuned().orElseThrow();
        run(0, Map.of(untuned.program(), untuned.blocks(128)), candidate -> 10);
        assertEquals(untuned, trials.getFirst());
    }

    /** Devices without threads have names without them; blocks with little work have no use for fewer. */
    @Test
    void threadsAreTriedWhereThereIsWorkForThem() {
        run(0, CandidateSearchTest::valley);
        assertTrue(trials.stream().allMatch(trial -> trial.threads() == 0));
        assertEquals(List.of(256), space(512).threads(8));
        assertEquals(List.of(768, 512, 256), space(1024).threads(8));
        assertEquals(List.of(), space(512).threads(512));
        assertEquals(
                Optional.empty(),
                space(512).threads(1).stream().filter(threads -> threads >= 512).findAny());
    }
}
