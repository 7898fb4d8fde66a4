package org.mscclj.cli.stress.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.mscclj.cli.stress.fault.RankProcess;
import org.mscclj.cli.stress.rank.Report;

/**
 * The processes of a case by their ranks, and spare processes: starting one takes much longer than a case. Used by one
 * thread.
 */
final class Members implements AutoCloseable {
    /** What anything may take that is not judged, on busy machines too. */
    static final Duration PATIENCE = Duration.ofMinutes(4);

    /** Ranks of the largest case, and newcomers in it. */
    static final int MOST = 8;

    private final String backend;
    private final int number;
    private final Leftovers leftovers;
    private final Deque<RankProcess> starting = new ArrayDeque<>();
    private final Deque<RankProcess> waiting = new ArrayDeque<>();
    private final List<RankProcess> ranks = new ArrayList<>();
    private final List<Harmed> harmed = new ArrayList<>();

    /** A process that was harmed and is no rank any more. */
    private record Harmed(RankProcess process, Harm harm, AutoCloseable undo) {
        /** Ends it, if it was stopped; else waits until it has ended. */
        void end() {
            if (harm == Harm.STOP) {
                process.kill();
            }
            int _ = process.awaitEnd(PATIENCE);
            close();
        }

        void close() {
            process.kill();
            try {
                undo.close();
            } catch (Exception e) {
                throw new IllegalStateException("a process that was stopped cannot be let go on", e);
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
     * Starts the processes that are missing. Each opens a communicator of its own, so that its code is loaded when a
     * case begins.
     */
    private void fill() {
        while (starting.size() + waiting.size() + ranks.size() < number) {
            RankProcess process = RankProcess.start(leftovers.environment());
            process.tell("open stress-" + UUID.randomUUID() + " 0 1 1 60000 " + backend);
            process.tell("close");
            starting.add(process);
        }
    }

    /**
     * Gives each rank of a case a process, once all spare processes have started: a process that starts takes time from
     * the others.
     */
    void begin(int wanted) {
        fill();
        for (RankProcess process : starting) {
            process.await(Report.Kind.DONE, PATIENCE);
            process.await(Report.Kind.DONE, PATIENCE);
        }
        waiting.addAll(starting);
        starting.clear();
        while (ranks.size() < wanted) {
            ranks.add(waiting.remove());
        }
    }

    /** The process of a rank. */
    RankProcess rank(int rank) {
        return ranks.get(rank);
    }

    /** Does something to a rank's process. */
    void harm(int rank, Harm harm) {
        RankProcess process = rank(rank);
        if (harm == Harm.STOP) {
            leftovers.stopped(process.pid());
        }
        harmed.add(new Harmed(process, harm, harm.to(process)));
    }

    /** Puts a process that waits in the place of a rank that was harmed. */
    RankProcess replace(int rank) {
        RankProcess newcomer = waiting.remove();
        ranks.set(rank, newcomer);
        return newcomer;
    }

    /** Ends what was harmed; those that are left wait for the next case. */
    void end() {
        List<RankProcess> ended = harmed.stream().map(Harmed::process).toList();
        ranks.stream().filter(process -> !ended.contains(process)).forEach(waiting::add);
        ranks.clear();
        harmed.forEach(Harmed::end);
        harmed.clear();
    }

    /** Starts all of them anew, after something went wrong that may have left any of them in any state. */
    void restart() {
        kill();
        fill();
    }

    private List<RankProcess> all() {
        return Stream.of(starting, waiting, ranks).flatMap(Collection::stream).toList();
    }

    private void kill() {
        harmed.forEach(Harmed::close);
        all().forEach(RankProcess::close);
        harmed.clear();
        starting.clear();
        waiting.clear();
        ranks.clear();
    }

    /**
     * Has all of them end by themselves, which must take no force.
     *
     * @throws IllegalStateException if one does not
     */
    void dismiss() {
        harmed.forEach(Harmed::end);
        harmed.clear();
        List<RankProcess> dismissed = all();
        dismissed.forEach(RankProcess::dismiss);
        for (RankProcess process : dismissed) {
            int code = process.awaitEnd(PATIENCE);
            if (code != 0) {
                throw new IllegalStateException("a rank that was dismissed has not ended well: " + process);
            }
        }
    }

    @Override
    public void close() {
        kill();
    }
}
