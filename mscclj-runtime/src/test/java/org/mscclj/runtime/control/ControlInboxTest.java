package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.spi.engine.AbortFlag;

class ControlInboxTest {
    private static final Message NOTHING = new Message(new byte[0]);

    private final ControlInbox inbox = new ControlInbox();
    private final ControlInbox.Waiter waiter = new ControlInbox.Waiter(0, 3, Duration.ofMillis(1), new AbortFlag());

    private List<Integer> missing() {
        return assertThrows(OperationTimeoutException.class, () -> inbox.awaitRound(0, "barrier", waiter))
                .missingRanks();
    }

    @Test
    void whoHasGivenUpWaitingIsNotMissing() {
        inbox.contribute(0, 0, Topic.named("barrier"), NOTHING);
        inbox.contribute(0, 1, Topic.named("barrier"), NOTHING);
        assertEquals(List.of(2), missing());
        inbox.withdraw(0, 1); // a moment before this rank gives up
        assertEquals(List.of(2), missing());
    }

    @Test
    void whoHasGivenUpIsMissingWhenAllOthersHaveCome() {
        inbox.contribute(0, 0, Topic.named("barrier"), NOTHING);
        inbox.contribute(0, 1, Topic.named("barrier"), NOTHING);
        inbox.withdraw(0, 1);
        inbox.contribute(0, 2, Topic.named("barrier"), NOTHING);
        assertEquals(List.of(1), missing());
    }

    /** Rank 2 was stopped when it had told this rank, and not yet rank 1, that it had come. */
    @Test
    void whoHasGivenUpInAnEarlierRoundIsNotMissing() {
        for (int rank = 0; rank < 3; rank++) {
            inbox.contribute(0, rank, Topic.named("barrier"), NOTHING);
        }
        assertEquals(3, inbox.awaitRound(0, "barrier", waiter).gathered().size());
        inbox.contribute(1, 0, Topic.named("barrier"), NOTHING);
        inbox.withdraw(0, 1);
        assertEquals(
                List.of(2),
                assertThrows(OperationTimeoutException.class, () -> inbox.awaitRound(1, "barrier", waiter))
                        .missingRanks());
    }

    @Test
    void whoHasGivenUpAndClosedIsLost() {
        inbox.contribute(0, 0, Topic.named("barrier"), NOTHING);
        inbox.contribute(0, 1, Topic.named("barrier"), NOTHING);
        inbox.withdraw(0, 1);
        inbox.depart(1, 0);
        RankLostException lost = assertThrows(RankLostException.class, () -> inbox.awaitRound(0, "barrier", waiter));
        assertEquals(1, lost.rank());
    }

    @Test
    void whoComesAgainIsThere() {
        inbox.withdraw(0, 1);
        inbox.contribute(0, 0, Topic.named("barrier"), NOTHING);
        inbox.contribute(0, 1, Topic.named("barrier"), NOTHING);
        inbox.contribute(0, 2, Topic.named("barrier"), NOTHING);
        assertEquals(3, inbox.awaitRound(0, "barrier", waiter).gathered().size());
    }
}
