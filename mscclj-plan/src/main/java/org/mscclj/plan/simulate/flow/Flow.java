package org.mscclj.plan.simulate.flow;

/** Bytes on their way, over all of its links at once. */
final class Flow {
    private final Usage usage;
    private final double cap;
    private final Runnable done;
    private final int[] slots;
    private double remaining;
    private double rate;
    private double since;
    private int version;
    private boolean visited;
    private boolean frozen;

    Flow(double bytes, double cap, Usage usage, double now, Runnable done) {
        this.remaining = bytes;
        this.cap = cap;
        this.usage = usage;
        this.since = now;
        this.done = done;
        this.slots = new int[usage.size()];
    }

    Usage usage() {
        return usage;
    }

    /** Bytes per nanosecond that it is able to take, whatever the links allow. */
    double cap() {
        return cap;
    }

    Runnable done() {
        return done;
    }

    double rate() {
        return rate;
    }

    /** Which announcement of its end is the valid one. */
    int version() {
        return version;
    }

    /** From now on it goes so fast; gives when it ends. */
    double go(double now, double newRate) {
        remaining = Math.max(0, remaining - rate * (now - since));
        since = now;
        rate = newRate;
        version++;
        return now + remaining / newRate;
    }

    /** Where it stands in the list of its i-th link. */
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
