package org.mscclj.runtime.communicator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.resource.Resources;

/**
 * Makes the communicator of those who are left. They cannot agree over the old one, which may have ended: all meet first, and then set the new one up. A meeting is
 * kept, so that calling again goes on with it, and each of its rounds leads to an attempt of its own: nobody meets what is left of an earlier one. Used by one
 * thread at a time.
 */
final class Shrinking implements AutoCloseable {
    private final CommunicatorSpec spec;
    private final int rank;
    private final int size;
    private final Duration timeout;
    private final Map<List<Integer>, Attempts> begun = new HashMap<>();

    /** A meeting, and how often all have met there, which is the same on all ranks. */
    private static final class Attempts {
        private final Meeting meeting;
        private long number;

        Attempts(Meeting meeting) {
            this.meeting = meeting;
        }
    }

    Shrinking(CommunicatorSpec spec, int rank, int size, Duration timeout) {
        this.spec = spec;
        this.timeout = timeout;
        this.rank = rank;
        this.size = size;
    }

    /**
     * See {@link Communicator#shrink}.
     *
     * @param call is told of the new communicator before that is set up
     */
    Communicator without(List<Integer> ranks, RecoveryCall call) {
        List<Integer> excluded = checked(ranks);
        List<Integer> left = IntStream.range(0, size)
                .filter(r -> !excluded.contains(r))
                .boxed()
                .toList();
        Attempts attempts = begun.computeIfAbsent(
                excluded, _ -> new Attempts(spec.shrinker().meet(left, rank)));
        awaitOthers(excluded, left, attempts);
        // others may have given up what this rank comes to only now: then this rank gives it up as well, and all meet
        // again when they call again
        RuntimeCommunicator child = child(attempts);
        call.forms(child.abortFlag());
        RuntimeCommunicator connected = connect(child, left, attempts.meeting);
        drop(excluded, attempts);
        close();
        return connected;
    }

    private void awaitOthers(List<Integer> excluded, List<Integer> left, Attempts attempts) {
        try {
            attempts.meeting.control().barrier("shrink");
        } catch (OperationTimeoutException e) {
            throw timedOut(excluded, namesOf(e.missingRanks(), left), e);
        } catch (RankLostException e) {
            drop(excluded, attempts);
            throw lost(excluded, left.get(e.rank()), e);
        } catch (RuntimeException e) {
            if (attempts.meeting.abort().isSet()) { // else this thread was interrupted, and may call again
                drop(excluded, attempts);
            }
            throw e;
        }
        attempts.number++;
    }

    private RuntimeCommunicator child(Attempts attempts) {
        ControlPlane control = attempts.meeting.control();
        return attempts.meeting
                .splitter()
                .child(ranksOf(control), spec.name() + "-shrunk", attempts.number, control.rank());
    }

    private static List<Integer> ranksOf(ControlPlane control) {
        return IntStream.range(0, control.size()).boxed().toList();
    }

    private static RuntimeCommunicator connect(RuntimeCommunicator child, List<Integer> left, Meeting meeting) {
        return new ChildSetUp(meeting.control(), meeting.abort(), ranksOf(meeting.control()), left).connect(child);
    }

    private List<Integer> checked(List<Integer> ranks) {
        TreeSet<Integer> excluded = new TreeSet<>(ranks);
        for (int each : excluded) {
            if (each < 0 || each >= size) {
                throw InvalidArgumentException.of("shrink: a rank of " + ranks, each, "0 to " + (size - 1));
            }
        }
        if (excluded.size() != ranks.size()) {
            throw InvalidArgumentException.of("shrink: the list of excluded ranks", ranks, "each rank once");
        }
        if (excluded.contains(rank)) {
            throw InvalidArgumentException.of(
                    "shrink: the list of excluded ranks",
                    ranks,
                    "a list without the calling rank " + rank + "; who is excluded closes its communicator instead");
        }
        return List.copyOf(excluded);
    }

    private static List<Integer> namesOf(List<Integer> ofChild, List<Integer> left) {
        return ofChild.stream().map(left::get).toList();
    }

    private OperationTimeoutException timedOut(
            List<Integer> excluded, List<Integer> missing, OperationTimeoutException e) {
        OperationTimeoutException told = new OperationTimeoutException(
                what(excluded) + ": waited for ranks " + missing
                        + ", which did not call it with the same excluded ranks within " + DurationText.of(timeout)
                        + "; call again, or exclude them too",
                missing);
        told.initCause(e);
        return told;
    }

    private RankLostException lost(List<Integer> excluded, int lost, RankLostException e) {
        return new RankLostException(
                lost, what(excluded) + ": rank " + lost + " takes no part: " + e.getMessage() + "; exclude it too");
    }

    private String what(List<Integer> excluded) {
        return "shrink communicator " + spec.name() + " without ranks " + excluded + ", rank " + rank;
    }

    private void drop(List<Integer> excluded, Attempts attempts) {
        begun.remove(excluded, attempts);
        attempts.meeting.close();
    }

    /** Gives up what was begun, so that those who wait there for this rank hear of it. */
    @Override
    public void close() {
        List<AutoCloseable> givenUp = new ArrayList<>();
        begun.values().forEach(attempts -> givenUp.add(attempts.meeting::giveUp));
        begun.clear();
        Resources.close(givenUp);
    }
}
