package org.mscclj.cli.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class BestProgramsTest {
    private static final Candidate FIRST = new Candidate("packets", 2, 0);
    private static final Candidate SECOND = new Candidate("packets", 4, 0);

    private static List<TimedCandidate> trials(double first, double second) {
        return List.of(new TimedCandidate(FIRST, first), new TimedCandidate(SECOND, second));
    }

    @Test
    void aCandidateMustBeClearlyFasterThanTheCommunicatorsChoice() {
        BestPrograms best = new BestPrograms();
        assertEquals(Candidate.UNTUNED, best.add(1024, trials(1.99, 2.2), 2.0).chosen());
        assertEquals(FIRST, best.add(2048, trials(1.9, 2.2), 2.0).chosen());
        assertEquals(Candidate.UNTUNED, best.add(4096, trials(1.9, 2.2), 1.85).chosen());
        assertEquals("default", Candidate.UNTUNED.algorithm());
    }

    @Test
    void theChoiceOfTheSizeBeforeStaysIfItIsNearlyAsFast() {
        BestPrograms best = new BestPrograms();
        best.add(1024, trials(2.0, 2.2), 3.0);
        assertEquals(FIRST, best.add(2048, trials(2.0, 1.99), 3.0).chosen());
        assertEquals(SECOND, best.add(4096, trials(2.0, 1.9), 3.0).chosen());
        assertEquals(
                List.of(0L, 4096L),
                best.changes().stream().map(BestPrograms.Step::bytes).toList());
    }

    @Test
    void whatWasNotMeasuredIsNotChosen() {
        assertEquals(
                FIRST,
                new BestPrograms().add(1024, trials(2.0, 2.2), Double.NaN).chosen());
    }
}
