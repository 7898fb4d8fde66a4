package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mscclj.runtime.control.LaunchReport;

class DiagnosisTest {
    private static final String SUM = "allreduce of 1 MiB float16, sum, by ring";
    private static final String BROADCAST = "broadcast of 4 MiB int8, root 0, by relay";

    @Test
    void ranksThatHaveNotCalledAreNamedWithWhatTheyCompletedLast() {
        Diagnosis diagnosis = new Diagnosis(
                42,
                3,
                Map.of(
                        0, new LaunchReport(42, 41, SUM.hashCode(), SUM, SUM, "", List.of()),
                        1, new LaunchReport(43, 41, SUM.hashCode(), SUM, SUM, "", List.of()),
                        2, new LaunchReport(41, 40, "".hashCode(), "", BROADCAST, "", List.of())));
        assertEquals(
                "ranks 0 and 1 called #42, " + SUM + "; rank 2: last completed #40, " + BROADCAST
                        + ", last called #41, has not called #42",
                diagnosis.toString());
        assertEquals(List.of(2), diagnosis.notArrived());
    }

    @Test
    void whoCalledSomethingElseIsNamed() {
        Diagnosis diagnosis = new Diagnosis(
                42,
                4,
                Map.of(
                        0, new LaunchReport(42, 41, BROADCAST.hashCode(), BROADCAST, SUM, "", List.of()),
                        1, new LaunchReport(42, 41, SUM.hashCode(), SUM, SUM, "", List.of()),
                        2, new LaunchReport(42, 41, SUM.hashCode(), SUM, SUM, "", List.of())));
        assertEquals(
                "rank 0 called " + BROADCAST + " as #42, where ranks 1 and 2 called " + SUM + "; rank 3: no answer",
                diagnosis.toString());
        assertEquals(List.of(0), diagnosis.notArrived());
        assertEquals(List.of(3), diagnosis.silent());
    }

    @Test
    void whoDoesNotAnswerIsBlamedIfNobodyElseIs() {
        Diagnosis diagnosis =
                new Diagnosis(1, 2, Map.of(0, new LaunchReport(1, 0, SUM.hashCode(), SUM, "", "", List.of())));
        assertEquals("rank 0 called #1, " + SUM + "; rank 1: no answer", diagnosis.toString());
        assertEquals(List.of(1), diagnosis.notArrived());
        assertEquals(List.of(), diagnosis.missing());
    }

    @Test
    void whoWaitsForASilentRankIsNotBlamed() {
        Diagnosis diagnosis = new Diagnosis(
                43,
                3,
                Map.of(
                        0,
                        new LaunchReport(43, 42, SUM.hashCode(), SUM, SUM, "", List.of()),
                        2,
                        new LaunchReport(42, 41, "".hashCode(), "", SUM, "", List.of())));
        assertEquals(List.of(2), diagnosis.missing());
        assertEquals(List.of(1), diagnosis.notArrived());
    }

    @Test
    void aRankThatWaitsInACallForASilentRankIsNotBlamed() {
        LaunchReport late = new LaunchReport(43, 42, SUM.hashCode(), SUM, SUM, "", List.of());
        LaunchReport before = new LaunchReport(42, 42, "".hashCode(), "", SUM, "", List.of());
        assertEquals(
                List.of(2),
                new Diagnosis(43, 3, Map.of(0, late, 1, before.within("barrier", List.of(2)))).notArrived());
        assertEquals(
                List.of(1),
                new Diagnosis(43, 3, Map.of(0, late, 1, before.within("barrier", List.of(0, 2)))).notArrived(),
                "it waits for a rank that has made the launch, so it has called something else");
    }

    @Test
    void aRecorderThatIsOffKnowsNumbersOnly() {
        Diagnosis diagnosis = new Diagnosis(
                5,
                2,
                Map.of(
                        0,
                        new LaunchReport(5, 4, "".hashCode(), "", "", "", List.of()),
                        1,
                        new LaunchReport(4, 4, "".hashCode(), "", "", "", List.of())));
        assertEquals("rank 1: last completed #4, has not called #5", diagnosis.toString());
    }

    @Test
    void whoWaitsForAMessageIsNotBlamed() {
        Diagnosis diagnosis = new Diagnosis(
                42,
                3,
                Map.of(
                        0, new LaunchReport(42, 41, SUM.hashCode(), SUM, SUM, "", List.of()),
                        1, new LaunchReport(41, 41, "".hashCode(), "", SUM, "receive 16 bytes from rank 2", List.of()),
                        2, new LaunchReport(41, 41, "".hashCode(), "", SUM, "", List.of())));
        assertEquals(List.of(2), diagnosis.notArrived());
        assertEquals(
                "rank 0 called #42, " + SUM + "; rank 1: last completed #41, " + SUM
                        + ", waits in messages (receive 16 bytes from rank 2), has not called #42; rank 2: last"
                        + " completed #41, "
                        + SUM + ", has not called #42",
                diagnosis.toString());
    }

    /**
     * What rank 0 finds when it joins in vain: its own launches of this node show that ranks 1 and 2 have not begun.
     */
    @Test
    void ofThoseThatHaveNotBegunTheOneThatWaitsIsNotBlamed() {
        Diagnosis stopped = new Diagnosis(
                22,
                3,
                Map.of(
                        0,
                        new LaunchReport(22, 21, SUM.hashCode(), SUM, SUM, "", List.of()),
                        1,
                        new LaunchReport(21, 20, "".hashCode(), "", SUM, "", List.of())));
        assertEquals(List.of(2), stopped.blamed(List.of(1, 2)));
        Diagnosis late = new Diagnosis(
                22,
                3,
                Map.of(
                        0, new LaunchReport(22, 21, SUM.hashCode(), SUM, SUM, "", List.of()),
                        1, new LaunchReport(21, 20, "".hashCode(), "", SUM, "", List.of()),
                        2, new LaunchReport(20, 20, "".hashCode(), "", SUM, "", List.of())));
        assertEquals(List.of(2), late.blamed(List.of(1, 2)));
        assertEquals(List.of(1), late.blamed(List.of(1)));
    }

    @Test
    void whoIsStoppedInTheMidstOfALaunchIsBlamed() {
        Diagnosis diagnosis = new Diagnosis(
                20,
                3,
                Map.of(
                        0,
                        new LaunchReport(20, 19, SUM.hashCode(), SUM, SUM, "", List.of()),
                        2,
                        new LaunchReport(20, 19, SUM.hashCode(), SUM, SUM, "", List.of())));
        assertEquals(List.of(1), diagnosis.blamed(List.of()));
    }

    @Test
    void whoHasLaunchedSomethingElseIsBlamed() {
        Diagnosis diagnosis = new Diagnosis(
                3,
                2,
                Map.of(
                        0,
                        new LaunchReport(3, 2, SUM.hashCode(), SUM, SUM, "", List.of()),
                        1,
                        new LaunchReport(3, 2, BROADCAST.hashCode(), BROADCAST, SUM, "", List.of())));
        assertEquals(List.of(1), diagnosis.blamed(List.of(1)));
    }

    @Test
    void whoHasCalledButWaitsForAMessageFirstSaysSo() {
        Diagnosis diagnosis = new Diagnosis(
                2,
                2,
                Map.of(
                        0, new LaunchReport(2, 1, SUM.hashCode(), SUM, SUM, "send 4096 bytes to rank 1", List.of()),
                        1, new LaunchReport(2, 1, SUM.hashCode(), SUM, SUM, "", List.of())));
        assertEquals(
                "ranks 0 and 1 called #2, " + SUM + "; rank 0 waits in messages (send 4096 bytes to rank 1) first",
                diagnosis.toString());
    }

    /** Rank 0 has made the launch, and is in the one before, for which it waits for rank 2 as well. */
    @Test
    void whoHasMadeTheLaunchAndWaitsInAnEarlierOneIsNotBlamed() {
        Diagnosis diagnosis = new Diagnosis(
                42,
                3,
                Map.of(
                        0, new LaunchReport(42, 40, SUM.hashCode(), SUM, SUM, "", List.of()),
                        1, new LaunchReport(42, 41, SUM.hashCode(), SUM, SUM, "", List.of())));
        assertEquals(List.of(2), diagnosis.blamed(List.of(0, 2)));
        assertEquals(List.of(2), diagnosis.blamed(List.of(0)), "it does not answer");
    }
}
