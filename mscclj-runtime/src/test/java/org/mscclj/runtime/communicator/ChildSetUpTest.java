package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.LaunchReporter;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.control.OpenCall;
import org.mscclj.spi.engine.AbortFlag;

/** Rank 0 of a child of ranks 4, 3, 2 and 1 of five waits in vain for the others. */
class ChildSetUpTest {
    private static final OperationTimeoutException LATE = new OperationTimeoutException("late", List.of(1, 2, 3));

    /** A parent in which some ranks answer, and nothing else happens. */
    private record Answering(Set<Integer> ranks, AbortFlag abort) implements ControlPlane {
        @Override
        public int rank() {
            return 4;
        }

        @Override
        public int size() {
            return 5;
        }

        @Override
        public long nextCall() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean hasCome(int peer, long call) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int closedBefore(long launch) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean hasClosed(int peer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<OpenCall> openCall() {
            return Optional.empty();
        }

        @Override
        public Nodes nodes() {
            return Nodes.one(5);
        }

        @Override
        public byte[][] allGather(String what, byte[] own) {
            throw new UnsupportedOperationException(what);
        }

        @Override
        public void barrier(String what, Duration limit) {
            throw new UnsupportedOperationException(what);
        }

        @Override
        public CallScope during(String words, Optional<Duration> limit) {
            throw new UnsupportedOperationException(words);
        }

        @Override
        public void send(int peer, String what, byte[] message) {
            throw new UnsupportedOperationException(what);
        }

        @Override
        public byte[] receive(int peer, String what) {
            throw new UnsupportedOperationException(what);
        }

        @Override
        public void reportLaunches(LaunchReporter reporter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<Integer, LaunchReport> reportsOf(List<Integer> peers, long sequence, Duration limit) {
            return peers.stream()
                    .filter(ranks::contains)
                    .collect(Collectors.toMap(rank -> rank, _ -> LaunchReport.of(0)));
        }

        @Override
        public Optional<MsccljException> ended(String what, Duration limit) {
            return abort.isSet() ? Optional.of(abort.exception(what)) : Optional.empty();
        }
    }

    private static OperationTimeoutException named(Set<Integer> answering) {
        AbortFlag parent = new AbortFlag();
        return new ChildSetUp(new Answering(answering, parent), parent, List.of(4, 3, 2, 1), List.of(4, 3, 2, 1))
                .withoutThoseWhoAnswer(LATE);
    }

    @Test
    void whoDoesNotAnswerIsNamed() {
        OperationTimeoutException e = named(Set.of(1, 3));
        assertEquals(List.of(2), e.missingRanks()); // rank 2 of the parent is rank 2 of the child
        assertEquals("late; of these, ranks [2] do not answer", e.getMessage());
        assertEquals(List.of(1), named(Set.of(1, 2)).missingRanks());
    }

    @Test
    void whoHasClosedTheChildIsLostOnlyIfTheParentHasLostIt() {
        RankLostException closed = new RankLostException(3, "closed");
        AbortFlag parent = new AbortFlag();
        ChildSetUp setUp =
                new ChildSetUp(new Answering(Set.of(), parent), parent, List.of(4, 3, 2, 1), List.of(9, 8, 7, 6));
        MsccljException e = setUp.lostOrGivingUp(closed);
        assertInstanceOf(AbortedException.class, e);
        assertTrue(
                String.valueOf(e.getMessage())
                        .startsWith("rank 6 is not lost, but has given up a child over ranks [9, 8, 7, 6]"),
                e::getMessage);
        assertSame(closed, e.getCause());
        parent.lose(1, "it has ended");
        assertSame(closed, setUp.lostOrGivingUp(closed));
    }

    /** Rank 0 is not of the child, and has no number there. */
    @Test
    void aChildThatEndsWithItsParentIsToldAsTheEndOfTheParent() {
        AbortedException givenUp = new AbortedException("rank 2 gives up setting the child up");
        AbortFlag parent = new AbortFlag();
        ChildSetUp setUp =
                new ChildSetUp(new Answering(Set.of(), parent), parent, List.of(4, 3, 2, 1), List.of(4, 3, 2, 1));
        assertSame(givenUp, setUp.becauseOfParent(givenUp));
        parent.lose(0, "its process has ended");
        RankLostException told = assertInstanceOf(RankLostException.class, setUp.becauseOfParent(givenUp));
        assertEquals(0, told.rank());
        assertSame(givenUp, told.getCause());
    }

    @Test
    void aChildThatIsSetUpDoesNotEndWithItsParent() {
        AbortFlag parent = new AbortFlag();
        AbortFlag spared = new AbortFlag();
        AbortFlag ended = new AbortFlag();
        ChildAbort ofSpared = new ChildAbort(parent, spared, List.of(4, 3, 2, 1));
        ChildAbort ofEnded = new ChildAbort(parent, ended, List.of(4, 3, 2, 1));
        assertTrue(ofSpared.isSpared());
        parent.lose(3, "its process has ended");
        ofSpared.run();
        ofEnded.run();
        assertFalse(spared.isSet());
        assertFalse(ofEnded.isSpared());
        assertEquals(OptionalInt.of(1), ended.lostRank());
    }

    @Test
    void nothingIsChangedIfAllOrNoneAnswer() {
        assertSame(LATE, named(Set.of(1, 2, 3)));
        assertSame(LATE, named(Set.of()));
    }
}
