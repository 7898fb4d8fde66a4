package org.mscclj.analysis.simulate.flow;

import org.jspecify.annotations.Nullable;

/** A transfer of bytes over all of its links at once. */
final class Flow {
    private final LinkUsage usage;
    private final double cap;
    private final Runnable done;
    private final int[] slots;
    private double remaining;
    private double rate;
    private double since;
    private Clock.@Nullable Event end;
    private boolean visited;
    private boolean frozen;

    Flow(double bytes, double cap, LinkUsage usage, double now, Runnable done) {
        this.remaining = bytes;
        this.cap = cap;
        this.usage = usage;
        this.since = now;
        this.done = done;
        this.slots = new int[usage.size()];
    }

    LinkUsage usage() {
        return usage;
    }

    /** Greatest rate in bytes per nanosecond, independent of links. */
    double cap() {
        return cap;
    }

    Runnable done() {
        return done;
    }

    double rate() {
        return rate;
    }

    /** Sets the rate and schedules the end of the flow accordingly. */
    void go(Clock clock, double newRate, Runnable ended) {
        remaining = Math.max(0, remaining - rate * (clock.now() - since));
        since = clock.now();
        rate = newRate;
        double time = since + remaining / newRate;
        if (end == null) {
            end = clock.event(time, ended);
        } else {
            clock.move(end, time);
        }
    }

    /** Position in the list of flows of the i-th link. */
    int slot(int i) {
        return slots[i];
    }

    void slot(int i, int at) {
        slots[i] = at;
    }

    boolean isVisited() {
        return visited;
    }

    void visited(boolean is) {
        visited = is;
    }

    boolean isFrozen() {
        return frozen;
    }

    void frozen(boolean is) {
        frozen = is;
    }
}
