package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;

class ContributionsTest {
    private static final int RANKS = 300;

    private final Contributions round = new Contributions();

    private void contribute(int rank) {
        round.contribute(rank, Topic.named("barrier"), new Message(new byte[] {(byte) rank}));
    }

    @Test
    void givesContributionsByRankInWhateverOrderTheyCome() {
        IntStream.range(0, RANKS).map(i -> (i * 7 + 5) % RANKS).forEach(this::contribute);
        assertTrue(round.isWhole(RANKS));
        List<Message> gathered = round.gathered();
        assertEquals(RANKS, gathered.size());
        for (int rank = 0; rank < RANKS; rank++) {
            assertArrayEquals(new byte[] {(byte) rank}, gathered.get(rank).bytes());
        }
    }

    @Test
    void isAwaitedOnlyByARankThatWaits() {
        contribute(0);
        contribute(1);
        assertFalse(round.isAwaitedAndWhole());
        round.await(3);
        assertFalse(round.isAwaitedAndWhole());
        assertEquals(List.of(2), round.missing(3));
        contribute(2);
        assertTrue(round.isAwaitedAndWhole());
    }

    @Test
    void whatIsTakenBackMayComeAgain() {
        contribute(20);
        contribute(20);
        round.withdraw(20);
        round.withdraw(20);
        round.withdraw(100);
        assertFalse(round.hasCome(20));
        assertFalse(round.isWhole(1));
        contribute(20);
        assertTrue(round.hasCome(20));
        assertTrue(round.isWhole(1));
    }

    @Test
    void differentCallsAreNamed() {
        contribute(0);
        round.contribute(1, Topic.named("split"), new Message(new byte[0]));
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, round::gathered);
        assertTrue(String.valueOf(e.getMessage()).contains("ranks [0]: barrier; ranks [1]: split"), e::getMessage);
    }
}
