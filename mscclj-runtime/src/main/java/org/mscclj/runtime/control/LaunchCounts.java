package org.mscclj.runtime.control;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.mscclj.runtime.time.Deadline;

/**
 * This rank's report of its launches, which peers may request, and the reports of peers. A rank answers whatever it is
 * doing, so that a rank that waits in vain can name the late rank. Safe for use by several threads.
 */
public final class LaunchCounts {
    private final Map<Long, Map<Integer, LaunchReport>> answers = new HashMap<>();
    private final UnaryOperator<LaunchReport> withWaits;
    private volatile LaunchReporter own = _ -> LaunchReport.of(0);
    private long questions;

    /**
     * Creates the counts before any launch.
     *
     * @param withWaits adds to a report the set-up call in which this rank waits for other ranks
     */
    LaunchCounts(UnaryOperator<LaunchReport> withWaits) {
        this.withWaits = withWaits;
    }

    /** Sets the reporter that answers from now on. */
    void reportBy(LaunchReporter reporter) {
        own = reporter;
    }

    /**
     * Returns this rank's report of its launches; without a reporter, a report of no launches.
     *
     * @param sequence the number of the launch in question; 0 to ask only for the number of launches
     */
    public LaunchReport own(long sequence) {
        LaunchReport report = own.report(sequence);
        return sequence == 0 ? report : withWaits.apply(report);
    }

    /** Opens a question, and returns its number. */
    synchronized long open() {
        questions++;
        answers.put(questions, new TreeMap<>());
        return questions;
    }

    /** Takes the answer of a rank to a question, in time or not. */
    public synchronized void answered(long question, int from, LaunchReport report) {
        Map<Integer, LaunchReport> known = answers.get(question);
        if (known != null) {
            known.put(from, report);
            notifyAll();
        }
    }

    /** Wakes all waiting threads, so that they check whether their wait is over. */
    synchronized void wake() {
        notifyAll();
    }

    /**
     * Waits for {@code wanted} answers to a question, and forgets the question. Returns the answers that arrived within
     * the limit, before {@code over} held, or before an interrupt.
     */
    synchronized Map<Integer, LaunchReport> await(long question, int wanted, Duration limit, BooleanSupplier over) {
        Map<Integer, LaunchReport> known = answers.getOrDefault(question, Map.of());
        Deadline deadline = Deadline.after(limit);
        try {
            for (long left = deadline.left();
                    known.size() < wanted && left > 0 && !over.getAsBoolean();
                    left = deadline.left()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answers.remove(question);
        return Map.copyOf(known);
    }
}
