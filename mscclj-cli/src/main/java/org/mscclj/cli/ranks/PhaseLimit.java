package org.mscclj.cli.ranks;

import java.time.Duration;
import java.util.concurrent.Future;

/**
 * When what ranks are doing must have ended. Operations keep their own timeouts and say who is missing; this is for the
 * case that even those fail. Safe for use by several threads.
 */
final class PhaseLimit {
    private String phase = "start";
    private Duration limit = Duration.ofDays(1);
    private long started = System.nanoTime();

    /** A phase begins. */
    synchronized void begin(String what, Duration most) {
        phase = what;
        limit = most;
        started = System.nanoTime();
        notifyAll(); // it may have to end sooner than the one before
    }

    /**
     * Waits until a task has ended, which {@link #wake} must tell, or a phase of it has taken too long.
     *
     * @return whether the task has ended
     */
    synchronized boolean await(Future<?> end) throws InterruptedException {
        while (!end.isDone() && left().isPositive()) {
            wait(left().toMillis() + 1);
        }
        return end.isDone();
    }

    /** The task has ended. */
    synchronized void wake() {
        notifyAll();
    }

    /** What goes on, for messages. */
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
