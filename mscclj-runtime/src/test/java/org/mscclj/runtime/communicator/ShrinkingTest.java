package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.settings.GroupHints;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/** Rank 2 of three meets rank 1, which does not come. */
class ShrinkingTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AbortFlag abort = new AbortFlag();
    private final List<String> log = new ArrayList<>();

    private static RunningDeadline limit() {
        return RunningDeadline.after(LONG);
    }

    private Shrinking shrinking() {
        LocalControlPlane three = new LocalControlPlane(Nodes.one(3), LONG, new AbortFlag());
        for (int rank = 0; rank < 3; rank++) {
            var _ = three.ofRank(rank);
        }
        LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), LONG, abort);
        Splitter none = (members, name, _, _) -> {
            throw new UnsupportedOperationException(name + members);
        };
        CommunicatorSpec spec = new CommunicatorSpec(
                new CommunicatorIdentity("three", "job", List.of(0, 1, 2)),
                Runnable::run,
                GroupHints.none(),
                List.of(),
                none,
                (members, rank) -> {
                    log.add("meets " + members);
                    return new Meeting(
                            plane.ofRank(members.indexOf(rank)), abort, none, () -> log.add("departs from " + members));
                },
                (quorum, _, _, _) -> {
                    throw new UnsupportedOperationException(quorum.id());
                });
        return new Shrinking(spec, three.ofRank(2));
    }

    private static void interrupted(Shrinking shrinking) {
        Thread.currentThread().interrupt();
        assertThrows(AbortedException.class, () -> shrinking.without(List.of(0), new RecoveryCall(), limit()));
        assertTrue(Thread.interrupted());
    }

    @Test
    void whoIsInterruptedStaysInTheMeeting() {
        Shrinking shrinking = shrinking();
        interrupted(shrinking);
        interrupted(shrinking);
        assertEquals(List.of("meets [1, 2]"), log);
        assertFalse(abort.isSet());
        shrinking.close();
    }

    /** The other may have met this rank just before it was interrupted, and be setting the new communicator up. */
    @Test
    void whoGivesUpEndsWhatOthersAreSettingUp() {
        Shrinking shrinking = shrinking();
        interrupted(shrinking);
        AbortFlag child = new AbortFlag();
        abort.whenSet(new ChildAbort(abort, child, List.of(0, 1)));
        shrinking.close();
        assertEquals(List.of("meets [1, 2]", "departs from [1, 2]"), log);
        assertEquals(OptionalInt.of(1), child.lostRank(), "as a rank of the new one");
        shrinking.close();
        assertEquals(2, log.size());
    }

    @Test
    void aMeetingThatHasEndedIsLeft() {
        Shrinking shrinking = shrinking();
        interrupted(shrinking);
        abort.set("on purpose");
        interrupted(shrinking);
        assertEquals(List.of("meets [1, 2]", "departs from [1, 2]", "meets [1, 2]", "departs from [1, 2]"), log);
    }

    @Test
    void aRankThatWaitsInVainSaysForWhichRanksAndHowLong() {
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class,
                () -> shrinking()
                        .without(List.of(0), new RecoveryCall(), RunningDeadline.after(Duration.ofMillis(70))));
        assertEquals(List.of(1), e.missingRanks());
        assertEquals(
                "shrink communicator three without ranks [0], rank 2: waited for ranks [1], which did not call it with"
                        + " the same excluded ranks within 70 ms (rank 2 without ranks [0]); call again, or"
                        + " exclude them"
                        + " too",
                e.getMessage());
    }

    @Test
    void badListsMeetNobody() {
        assertThrows(
                InvalidArgumentException.class, () -> shrinking().without(List.of(2), new RecoveryCall(), limit()));
        assertEquals(List.of(), log);
    }
}
