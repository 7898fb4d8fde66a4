package org.mscclj.cli.ranks;

import java.time.Duration;

/**
 * When what ranks are doing must have ended. Operations keep their own timeouts and say who is missing; this is for the case that even
 * those fail. Safe for use by several threads.
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
    }

    /** What goes on, for messages. */
    synchronized String phase() {
        return phase;
    }

    synchronized Duration limit() {
        return limit;
    }

    /** How long until it must have ended; not positive once it is too late. */
    synchronized Duration left() {
        return limit.minusNanos(System.nanoTime() - started);
    }
}
