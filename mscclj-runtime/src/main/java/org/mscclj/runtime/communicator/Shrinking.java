package org.mscclj.runtime.communicator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.agreement.ShrinkAgreement;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.time.RunningDeadline;

/**
 * Creates the communicator of the remaining ranks. The old communicator may have ended, so the ranks agree by the
 * states of their calls ({@link ShrinkAgreement}), which arrive also after its end. They agree first that all remaining
 * ranks call with an equal list, then that all have set up the new communicator. A meeting is kept, so that a later
 * call of these ranks continues with it. Each attempt has a number of its own, so that no rank receives messages of an
 * earlier attempt. Used by one thread at a time.
 */
final class Shrinking implements AutoCloseable {
    private final CommunicatorSpec spec;
    private final ControlPlane old;
    private final int rank;
    private final int size;
    private final Map<List<Integer>, Meeting> begun = new HashMap<>();

    /**
     * Returns whether other ranks have gone on without this rank in the communicator from which this one was created.
     */
    private Supplier<Optional<String>> leftBehind = Optional::empty;

    Shrinking(CommunicatorSpec spec, ControlPlane old) {
        this.spec = spec;
        this.old = old;
        this.rank = old.rank();
        this.size = old.size();
    }

    /**
     * Shrinks the communicator. See {@link Communicator#shrink}.
     *
     * @param call receives the abort word of the new communicator before that communicator is set up
     * @param limit the end of the call's waits for other ranks
     */
    Communicator without(List<Integer> ranks, RecoveryCall call, RunningDeadline limit) {
        List<Integer> excluded = checked(ranks);
        leftBehind.get().ifPresent(others -> {
            throw new InvalidArgumentException(what(excluded) + ": of the communicator that this one was made from, "
                    + others + "; close this communicator");
        });
        List<Integer> left = IntStream.range(0, size)
                .filter(r -> !excluded.contains(r))
                .boxed()
                .toList();
        Meeting meeting = meeting(excluded, left);
        ShrinkAgreement agreement = new ShrinkAgreement(
                old.stands(), what(excluded), excluded, left, limit, ControlPlane.MAX_ANSWER, this::silent);
        RuntimeCommunicator formed;
        try {
            formed = formed(agreement, meeting, left, call, limit);
        } catch (RuntimeException | Error e) {
            agreement.giveUp();
            if (meeting.abort().isSet()) { // otherwise the ranks may meet there again
                drop(excluded, meeting);
            }
            throw e;
        }
        drop(excluded, meeting);
        close();
        formed.wasShrunkFrom(() -> old.stands().leftBehind().or(leftBehind));
        return formed;
    }

    /**
     * Makes attempts one after the other, as long as time is left and a rank has left before it knew that all ranks had
     * met; such a rank may call again.
     */
    private RuntimeCommunicator formed(
            ShrinkAgreement agreement, Meeting meeting, List<Integer> left, RecoveryCall call, RunningDeadline limit) {
        while (true) {
            long attempt = agreement.meet();
            RuntimeCommunicator child = meeting.splitter()
                    .child(
                            ranksOf(meeting.control()),
                            spec.name() + "-shrunk",
                            attempt,
                            meeting.control().rank());
            call.forms(child.abortFlag());
            agreement.watch(child.abortFlag());
            try {
                return connected(child, left, meeting, agreement, limit);
            } catch (AbortedException e) {
                if (call.isAborted() || Thread.currentThread().isInterrupted() || !agreement.mayMeetAgain()) {
                    throw e;
                }
            }
        }
    }

    /** Sets how to find out whether other ranks have gone on without this rank. */
    void after(Supplier<Optional<String>> origin) {
        leftBehind = origin;
    }

    private Meeting meeting(List<Integer> excluded, List<Integer> left) {
        Meeting known = begun.get(excluded);
        if (known != null && known.abort().isSet()) {
            drop(excluded, known);
        }
        return begun.computeIfAbsent(excluded, _ -> spec.shrinker().meet(left, rank));
    }

    private List<Integer> silent(List<Integer> ranks) {
        List<Integer> asked = ranks.stream().filter(r -> r != rank).toList();
        Map<Integer, LaunchReport> answers = old.reportsOf(asked, 0, ControlPlane.MAX_ANSWER);
        return asked.stream().filter(r -> !answers.containsKey(r)).toList();
    }

    private static List<Integer> ranksOf(ControlPlane control) {
        return IntStream.range(0, control.size()).boxed().toList();
    }

    /**
     * Returns the new communicator when all ranks have set it up. A rank that gives up after that ends it for all
     * ranks.
     */
    private static RuntimeCommunicator connected(
            RuntimeCommunicator child,
            List<Integer> left,
            Meeting meeting,
            ShrinkAgreement agreement,
            RunningDeadline limit) {
        RuntimeCommunicator connected;
        try {
            connected = new ChildSetUp(meeting.control(), meeting.abort(), ranksOf(meeting.control()), left)
                    .connect(child, limit);
        } finally {
            agreement.watchNoMore();
        }
        try {
            agreement.confirm(connected.abortFlag(), e -> new ParentRanks(child.name(), left).told(e));
            return connected;
        } catch (RuntimeException | Error e) {
            connected.abortFlag().set("a rank has given it up before all had confirmed it: " + e.getMessage());
            Resources.closeSuppressing(List.of(connected), e);
            throw e;
        }
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
                    "a list without the calling rank " + rank
                            + "; a rank that is excluded closes its communicator instead");
        }
        return List.copyOf(excluded);
    }

    private String what(List<Integer> excluded) {
        return "shrink communicator " + spec.name() + " without ranks " + excluded + ", rank " + rank;
    }

    private void drop(List<Integer> excluded, Meeting meeting) {
        begun.remove(excluded, meeting);
        meeting.close();
    }

    /** Gives up all meetings that were begun, so that ranks that wait there for this rank learn of it. */
    @Override
    public void close() {
        List<AutoCloseable> givenUp = new ArrayList<>();
        begun.values().forEach(meeting -> givenUp.add(meeting::giveUp));
        begun.clear();
        Resources.close(givenUp);
    }
}
