package org.mscclj.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Phaser;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.type.DataType;

/**
 * Measures the overhead of the flight recorder and the watchdog in an allreduce of 4 KB, on any backend, by
 * communicators of one process that take turns of some milliseconds. The location of a communicator's memory has a
 * greater effect than the overhead. Therefore three communicators are opened repeatedly, of which one, a different one
 * each time, has both; the difference between the two others shows the noise of the method.
 *
 * <p>Arguments: backend, number of ranks, number of times that communicators are opened, turns of each.
 */
public final class RecorderComparison {
    private static final long BYTES = 4096;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** Launches enqueued before they are awaited; fewer than any queue holds. */
    private static final int BURST = 64;

    private static final long TURN_NANOS = 4_000_000;
    private static final int COMMUNICATORS = 3;

    private final int ranks;
    private final int turns;
    private final Way way;

    /** How operations are launched. */
    private enum Way {
        /** Each launch after the end of the one before. */
        RUN,
        /** In bursts; the time until all have ended. */
        BURST,
        /** In bursts; the time of the calls. */
        CALL
    }

    private RecorderComparison(int ranks, int turns, Way way) {
        this.ranks = ranks;
        this.turns = turns;
        this.way = way;
    }

    /** Prints the table. */
    public static void main(String[] arguments) {
        String backend = arguments[0];
        int ranks = Integer.parseInt(arguments[1]);
        int openings = Integer.parseInt(arguments[2]);
        int turns = Integer.parseInt(arguments[3]);
        System.out.printf(
                Locale.ROOT,
                "%-6s %12s %24s %24s%n",
                "way",
                "without, us",
                "with adds, ns (quarters)",
                "noise, ns (quarters)");
        for (Way way : Way.values()) {
            double[] without = new double[openings];
            double[] added = new double[openings];
            double[] noise = new double[openings];
            for (int opening = 0; opening < openings; opening++) {
                int watched = opening % COMMUNICATORS;
                double[] nanos = new RecorderComparison(ranks, turns, way).measure(backend, watched);
                double first = nanos[(watched + 1) % COMMUNICATORS];
                double second = nanos[(watched + 2) % COMMUNICATORS];
                without[opening] = (first + second) / 2;
                added[opening] = nanos[watched] - without[opening];
                noise[opening] = second - first;
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-6s %12.3f %s %s%n",
                    way,
                    quantile(without, 0.5) / 1e3,
                    spread(added),
                    spread(noise));
        }
    }

    private static String spread(double[] values) {
        return String.format(
                Locale.ROOT,
                "%8.0f (%5.0f to %5.0f)",
                quantile(values, 0.5),
                quantile(values, 0.25),
                quantile(values, 0.75));
    }

    private static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) (share * (sorted.length - 1))];
    }

    /** Nanoseconds of an operation of each communicator, median over the turns. */
    private double[] measure(String backend, int watched) {
        List<LocalGroup> groups = new ArrayList<>();
        for (int communicator = 0; communicator < COMMUNICATORS; communicator++) {
            configure(communicator == watched);
            groups.add(LocalGroup.open(
                    LocalGroupOptions.ranks(ranks).backend(backend).timeout(LIMIT)));
        }
        double[][] taken = new double[COMMUNICATORS][turns];
        Phaser phaser = new Phaser(ranks);
        long[] counts = new long[COMMUNICATORS];
        List<Thread> others = new ArrayList<>();
        for (int rank = 1; rank < ranks; rank++) {
            int other = rank;
            others.add(Thread.ofPlatform().start(() -> takeTurns(groups, other, phaser, counts, taken)));
        }
        takeTurns(groups, 0, phaser, counts, taken);
        try {
            for (Thread other : others) {
                other.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while ranks end", e);
        }
        groups.forEach(LocalGroup::close);
        return Arrays.stream(taken).mapToDouble(nanos -> quantile(nanos, 0.5)).toArray();
    }

    private static void configure(boolean watched) {
        for (String property : List.of(
                "mscclj.recorder.entries", "mscclj.watchdog.enqueue.seconds", "mscclj.watchdog.start.seconds")) {
            if (watched) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, "0");
            }
        }
    }

    /**
     * The loop of each rank. Rank 0 stores the number of launches of a turn in {@code counts}, and records their times.
     */
    private void takeTurns(List<LocalGroup> groups, int rank, Phaser phaser, long[] counts, double[][] taken) {
        List<PreparedOperation> operations =
                groups.stream().map(group -> prepare(group.communicator(rank))).toList();
        double[] warmth = new double[COMMUNICATORS];
        for (int subject = 0; subject < COMMUNICATORS; subject++) { // warms up, and determines the launches of a turn
            for (long count = BURST; warmth[subject] < TURN_NANOS; count *= 2) {
                phaser.arriveAndAwaitAdvance();
                double each = turn(operations.get(subject), count);
                if (rank == 0) {
                    counts[subject] = count;
                    taken[subject][0] = each * count;
                }
                phaser.arriveAndAwaitAdvance();
                warmth[subject] = taken[subject][0];
            }
        }
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < COMMUNICATORS; i++) {
                int subject = (turn + i) % COMMUNICATORS;
                phaser.arriveAndAwaitAdvance();
                double each = turn(operations.get(subject), counts[0]);
                if (rank == 0) {
                    taken[subject][turn] = each;
                }
            }
        }
        phaser.arriveAndAwaitAdvance();
        operations.forEach(PreparedOperation::close);
    }

    private static PreparedOperation prepare(Communicator communicator) {
        return communicator.prepare(CollectiveCall.allReduce(communicator.allocate(BYTES), DataType.FLOAT32));
    }

    /** Nanoseconds of each of {@code count} operations. */
    private double turn(PreparedOperation operation, long count) {
        long nanos = 0;
        for (long done = 0; done < count; done += BURST) {
            nanos += burst(operation);
        }
        return (double) nanos / count;
    }

    private long burst(PreparedOperation operation) {
        long start = System.nanoTime();
        if (way == Way.RUN) {
            for (int i = 0; i < BURST; i++) {
                operation.run(LIMIT);
            }
            return System.nanoTime() - start;
        }
        for (int i = 0; i < BURST; i++) {
            operation.launch();
        }
        long called = System.nanoTime();
        operation.join(LIMIT);
        return (way == Way.CALL ? called : System.nanoTime()) - start;
    }
}
