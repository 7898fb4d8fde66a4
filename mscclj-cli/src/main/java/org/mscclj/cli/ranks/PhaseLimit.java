package org.mscclj.cli.ranks;

import java.time.Duration;
import java.util.concurrent.Future;

/**
 * The time limit of the ranks' present phase. Operations have their own timeouts and name missing ranks; this limit
 * applies if even those fail. Safe for use by several threads.
 */
final class PhaseLimit {
    private String phase = "start";
    private Duration limit = Duration.ofDays(1);
    private long started = System.nanoTime();

    /** Starts a phase. */
    synchronized void begin(String what, Duration most) {
        phase = what;
        limit = most;
        started = System.nanoTime();
        notifyAll(); // the new limit may be earlier than the previous one
    }

    /**
     * Waits until a task has ended, which {@link #wake} announces, or a phase exceeds its limit.
     *
     * @return whether the task has ended
     */
    synchronized boolean await(Future<?> end) throws InterruptedException {
        while (!end.isDone() && left().isPositive()) {
            wait(left().toMillis() + 1);
        }
        return end.isDone();
    }

    /** Called when the task has ended. */
    synchronized void wake() {
        notifyAll();
    }

    /** Returns the name of the phase, for messages. */
    synchronized String phase() {
        return phase;
    }

    synchronized Duration limit() {
        return limit;
    }

    private synchronized Duration left() {
        return limit.minusNanos(System.nanoTime() - started);
    }
}
