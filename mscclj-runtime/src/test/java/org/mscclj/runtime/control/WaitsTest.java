package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rank 0 asks three others. */
class WaitsTest {
    private static final LaunchReport IDLE = LaunchReport.of(0);

    private static LaunchReport waitingFor(Integer... ranks) {
        return IDLE.within("barrier", List.of(ranks));
    }

    private static List<Integer> blamed(Map<Integer, LaunchReport> reports, Integer... first) {
        return new Waits(List.of(1, 2, 3), reports).keepWaiting(List.of(first));
    }

    @Test
    void aRankThatWaitsForASilentOneIsNotBlamed() {
        assertEquals(List.of(3), blamed(Map.of(1, waitingFor(3), 2, waitingFor(3)), 1, 2, 3));
    }

    @Test
    void theChainIsFollowedToRanksThatHaveCome() {
        assertEquals(List.of(3), blamed(Map.of(1, waitingFor(2), 2, waitingFor(3)), 1));
        assertEquals(List.of(3), blamed(Map.of(1, waitingFor(2), 2, waitingFor(3), 3, IDLE), 1));
    }

    @Test
    void aSilentRankIsBlamedBesideAnIdleOne() {
        assertEquals(List.of(1, 3), blamed(Map.of(1, IDLE, 2, waitingFor(3)), 1, 2, 3));
        assertEquals(
                List.of(1),
                new Waits(List.of(1, 2, 3), Map.of(1, IDLE, 2, waitingFor(3))).behind(List.of(1, 2, 3)),
                "of messages only those that answer");
    }

    /** Rank 0 has the last word of a stopped rank, and rank 1 has not. */
    @Test
    void aRankThatDoesNotAnswerIsBlamedIfTheChainEndsNowhere() {
        assertEquals(List.of(3), blamed(Map.of(1, waitingFor(2), 2, waitingFor(1)), 1, 2));
    }

    @Test
    void theAskingRankIsNotBlamed() {
        assertEquals(List.of(1), blamed(Map.of(1, waitingFor(0), 2, IDLE, 3, IDLE), 1));
        assertEquals(List.of(2), blamed(Map.of(1, waitingFor(0, 2), 2, IDLE, 3, IDLE), 1));
        assertEquals(
                List.of(2),
                blamed(Map.of(1, waitingFor(2), 2, waitingFor(0), 3, IDLE), 1),
                "rank 2 waits for the asking rank alone, so it makes another call");
    }
}
