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
 * What this rank says of its launches, which peers may ask, and what they have answered. A rank answers whatever it is
 * doing, so that whoever waits in vain can name the rank that is late. Safe for use by several threads.
 */
public final class LaunchCounts {
    private final Map<Long, Map<Integer, LaunchReport>> answers = new HashMap<>();
    private final UnaryOperator<LaunchReport> withWaits;
    private volatile LaunchReporter own = _ -> LaunchReport.of(0);
    private long questions;

    /**
     * None yet.
     *
     * @param withWaits adds to a report in what this rank waits for others, while it sets something up
     */
    LaunchCounts(UnaryOperator<LaunchReport> withWaits) {
        this.withWaits = withWaits;
    }

    /** Answers from now on by {@code reporter}. */
    void reportBy(LaunchReporter reporter) {
        own = reporter;
    }

    /**
     * What this rank says of its launches; that there are none while nobody counts them.
     *
     * @param sequence the launch that it is asked about; 0 if only for their number
     */
    public LaunchReport own(long sequence) {
        LaunchReport report = own.report(sequence);
        return sequence == 0 ? report : withWaits.apply(report);
    }

    /** The number of a new question. */
    synchronized long open() {
        questions++;
        answers.put(questions, new TreeMap<>());
        return questions;
    }

    /** A rank answers a question, in time or not. */
    public synchronized void answered(long question, int from, LaunchReport report) {
        Map<Integer, LaunchReport> known = answers.get(question);
        if (known != null) {
            known.put(from, report);
            notifyAll();
        }
    }

    /** Wakes everybody who waits, to see whether what they wait for is over. */
    synchronized void wake() {
        notifyAll();
    }

    /**
     * Waits for so many answers to a question, and forgets it; gives those that came within the limit, before
     * {@code over} held, or before an interrupt.
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
