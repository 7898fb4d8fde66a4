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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.agreement.Stands;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.LaunchReporter;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.control.OpenCall;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/** Rank 0 of a child of ranks 4, 3, 2 and 1 of five waits in vain for the others. */
class ChildSetUpTest {
    private static final OperationTimeoutException LATE = new OperationTimeoutException("late", List.of(1, 2, 3));

    /** A parent in which some ranks answer, and nothing else happens. */
    private record Answering(Map<Integer, LaunchReport> ranks, Set<Integer> closed, AbortFlag abort)
            implements ControlPlane {
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
            return closed.contains(peer);
        }

        @Override
        public AbortFlag endOf(int peer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<OpenCall> openCall() {
            return Optional.empty();
        }

        @Override
        public Duration timeLeft() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CallScope waitFor(String what, List<Integer> peers) {
            throw new UnsupportedOperationException(what);
        }

        @Override
        public Stands stands() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Nodes nodes() {
            return Nodes.one(5);
        }

        @Override
        public List<Message> allGather(Topic topic, byte[] own) {
            throw new UnsupportedOperationException(topic.toString());
        }

        @Override
        public void barrier(Topic topic, Duration limit) {
            throw new UnsupportedOperationException(topic.toString());
        }

        @Override
        public CallScope during(String words, Optional<Duration> limit) {
            throw new UnsupportedOperationException(words);
        }

        @Override
        public CallScope within(RunningDeadline deadline) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void send(int peer, Topic topic, byte[] message) {
            throw new UnsupportedOperationException(topic.toString());
        }

        @Override
        public byte[] receive(int peer, Topic topic) {
            throw new UnsupportedOperationException(topic.toString());
        }

        @Override
        public void reportLaunches(LaunchReporter reporter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<Integer, LaunchReport> reportsOf(List<Integer> peers, long sequence, Duration limit) {
            return peers.stream().filter(ranks::containsKey).collect(Collectors.toMap(rank -> rank, ranks::get));
        }

        @Override
        public Optional<MsccljException> ended(String what, Duration limit) {
            return abort.isSet() ? Optional.of(abort.exception(what)) : Optional.empty();
        }
    }

    private static Map<Integer, LaunchReport> idle(Integer... ranks) {
        return Stream.of(ranks).collect(Collectors.toMap(rank -> rank, _ -> LaunchReport.of(0)));
    }

    private static ChildSetUp setUp(AbortFlag parent, Map<Integer, LaunchReport> answering, Integer... closed) {
        return new ChildSetUp(
                new Answering(answering, Set.of(closed), parent), parent, List.of(4, 3, 2, 1), List.of(9, 8, 7, 6));
    }

    private static List<Integer> named(Map<Integer, LaunchReport> answering) {
        return setUp(new AbortFlag(), answering).late("odd", LATE).missingRanks();
    }

    @Test
    void aRankThatDoesNotAnswerIsNamed() {
        OperationTimeoutException e = setUp(new AbortFlag(), idle(1, 3)).late("odd", LATE);
        assertEquals(List.of(7), e.missingRanks()); // rank 2 of the parent is rank 2 of the child
        assertEquals(
                "ranks [6, 7, 8] are missing, which were to be ranks [3, 2, 1] of child \"odd\" over ranks [9,"
                        + " 8, 7, 6]:"
                        + " late; ranks [7] keep them waiting",
                e.getMessage());
        assertEquals(List.of(8), named(idle(1, 2)));
    }

    @Test
    void allAreNamedIfAllOrNoneAnswer() {
        assertEquals(List.of(6, 7, 8), named(idle(1, 2, 3)));
        assertEquals(List.of(6, 7, 8), named(Map.of()));
    }

    /** Rank 0 is no member, and has no other name. */
    @Test
    void aRankThatWaitsInTheParentIsNotNamed() {
        LaunchReport waiting = LaunchReport.of(0).within("split", List.of(0));
        assertEquals(List.of(0), named(Map.of(1, waiting, 2, waiting, 3, waiting)));
        assertEquals(List.of(0), named(Map.of(1, waiting, 2, waiting, 3, waiting, 0, LaunchReport.of(0))));
    }

    @Test
    void aRankThatHasClosedTheChildAndAnswersIsNotLost() {
        RankLostException closed = new RankLostException(3, "connected: rank 3 is lost: it has closed the child");
        AbortFlag parent = new AbortFlag();
        MsccljException e = setUp(parent, idle(1)).lostOrGivingUp("odd", closed);
        assertInstanceOf(AbortedException.class, e);
        assertEquals(
                "rank 6 is alive, and has given up child \"odd\" over ranks [9, 8, 7, 6] while it was set up, after an"
                        + " interrupt or a failure of its own; call again",
                e.getMessage());
        assertSame(closed, e.getCause());
        for (ChildSetUp setUp : List.of(setUp(parent, Map.of()), setUp(parent, idle(1), 1))) {
            assertEquals(6, ((RankLostException) setUp.lostOrGivingUp("odd", closed)).rank());
        }
        parent.lose(1, "it has ended");
        assertEquals(6, ((RankLostException) setUp(parent, idle(1)).lostOrGivingUp("odd", closed)).rank());
    }

    /** Rank 0 is not of the child, and has no number there. */
    @Test
    void aChildThatEndsWithItsParentIsToldAsTheEndOfTheParent() {
        AbortedException givenUp = new AbortedException("rank 2 gives up setting the child up");
        AbortFlag parent = new AbortFlag();
        ChildSetUp setUp = setUp(parent, Map.of());
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
}
