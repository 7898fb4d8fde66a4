package org.mscclj.cli.stress.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.mscclj.cli.stress.fault.ChildRank;
import org.mscclj.cli.stress.rank.RankReport;

/**
 * The processes of a case by rank, and spare processes, since starting one takes much longer than a case. Used by one
 * thread.
 */
final class Members implements AutoCloseable {
    /** Time limit of steps that are not judged, generous for busy machines. */
    static final Duration STEP_TIMEOUT = Duration.ofMinutes(4);

    /** Number of processes: the ranks of the largest case, and its newcomers. */
    static final int MAX_PROCESSES = 8;

    private final String backend;
    private final int number;
    private final Leftovers leftovers;
    private final Deque<ChildRank> starting = new ArrayDeque<>();
    private final Deque<ChildRank> waiting = new ArrayDeque<>();
    private final List<ChildRank> ranks = new ArrayList<>();
    private final List<Harmed> harmed = new ArrayList<>();

    /** A harmed process, which is no rank any more. */
    private record Harmed(ChildRank process, ProcessFault harm, AutoCloseable undo) {
        /** Ends the process if it was stopped; otherwise waits for its end. */
        void end() {
            if (harm == ProcessFault.STOP) {
                process.kill();
            }
            int _ = process.awaitEnd(STEP_TIMEOUT);
            close();
        }

        void close() {
            process.kill();
            try {
                undo.close();
            } catch (Exception e) {
                throw new IllegalStateException("a stopped process cannot be continued", e);
            }
        }
    }

    /** Starts a number of processes. Their files are in the folder of {@code leftovers}. */
    Members(String backend, Leftovers leftovers, int number) {
        this.number = number;
        this.backend = backend;
        this.leftovers = leftovers;
        fill();
    }

    /**
     * Starts the missing processes. Each opens a communicator of its own, so that its code is loaded before a case
     * starts.
     */
    private void fill() {
        while (starting.size() + waiting.size() + ranks.size() < number) {
            ChildRank process = ChildRank.start(leftovers.environment());
            process.send("open stress-" + UUID.randomUUID() + " 0 1 1 60000 " + backend);
            process.send("close");
            starting.add(process);
        }
    }

    /**
     * Assigns a process to each rank of a case, after all spare processes have started, since a starting process slows
     * the others.
     */
    void begin(int wanted) {
        fill();
        for (ChildRank process : starting) {
            process.await(RankReport.Kind.DONE, STEP_TIMEOUT);
            process.await(RankReport.Kind.DONE, STEP_TIMEOUT);
        }
        waiting.addAll(starting);
        starting.clear();
        while (ranks.size() < wanted) {
            ranks.add(waiting.remove());
        }
    }

    /** Returns the process of a rank. */
    ChildRank rank(int rank) {
        return ranks.get(rank);
    }

    /** Harms a rank's process. */
    void harm(int rank, ProcessFault harm) {
        ChildRank process = rank(rank);
        if (harm == ProcessFault.STOP) {
            leftovers.stopped(process.pid());
        }
        harmed.add(new Harmed(process, harm, harm.to(process)));
    }

    /** Replaces a harmed rank by a spare process. */
    ChildRank replace(int rank) {
        ChildRank newcomer = waiting.remove();
        ranks.set(rank, newcomer);
        return newcomer;
    }

    /** Ends the harmed processes; the others wait for the next case. */
    void end() {
        List<ChildRank> ended = harmed.stream().map(Harmed::process).toList();
        ranks.stream().filter(process -> !ended.contains(process)).forEach(waiting::add);
        ranks.clear();
        harmed.forEach(Harmed::end);
        harmed.clear();
    }

    /** Restarts all processes after a failure, which may have left them in any state. */
    void restart() {
        kill();
        fill();
    }

    private List<ChildRank> all() {
        return Stream.of(starting, waiting, ranks).flatMap(Collection::stream).toList();
    }

    private void kill() {
        harmed.forEach(Harmed::close);
        all().forEach(ChildRank::close);
        harmed.clear();
        starting.clear();
        waiting.clear();
        ranks.clear();
    }

    /**
     * Ends all processes normally, without signals.
     *
     * @throws IllegalStateException if one does not
     */
    void dismiss() {
        harmed.forEach(Harmed::end);
        harmed.clear();
        List<ChildRank> dismissed = all();
        dismissed.forEach(ChildRank::dismiss);
        for (ChildRank process : dismissed) {
            int code = process.awaitEnd(STEP_TIMEOUT);
            if (code != 0) {
                throw new IllegalStateException("a rank has not ended normally: " + process);
            }
        }
    }

    @Override
    public void close() {
        kill();
    }
}
