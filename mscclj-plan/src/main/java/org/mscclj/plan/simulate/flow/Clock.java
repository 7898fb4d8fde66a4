package org.mscclj.plan.simulate.flow;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Runs events in the order of their times, and those of one time in the order in which they were put in. Times are nanoseconds, rounded to a
 * grid, so that what is equal but for rounding happens together.
 */
public final class Clock {
    /** Steps of the grid in a nanosecond. */
    private static final double GRID = 1024;

    private static final int LEAST = 1024;

    // A binary heap, in three arrays.
    private double[] times = new double[LEAST];
    private long[] orders = new long[LEAST];
    private @Nullable Runnable[] actions = new Runnable[LEAST];
    private int size;
    private long next;
    private double now;

    /** The time of the event that is running, or of the last one. */
    public double now() {
        return now;
    }

    /** The time that events put in for this time have. */
    public static double onGrid(double time) {
        return Math.rint(time * GRID) / GRID;
    }

    /**
     * Puts an event in.
     *
     * @param time when it happens; now, if that is later
     */
    public void at(double time, Runnable action) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            orders = Arrays.copyOf(orders, 2 * size);
            actions = Arrays.copyOf(actions, 2 * size);
        }
        up(size++, Math.max(now, onGrid(time)), next++, action);
    }

    /**
     * Runs until no event is left.
     *
     * @param settle is called when all events of a time have run
     */
    public void run(Runnable settle) {
        while (size > 0) {
            now = times[0];
            while (size > 0 && times[0] == now) {
                pop().run();
            }
            settle.run();
        }
    }

    private Runnable pop() {
        Runnable first = actions[0];
        size--;
        double time = times[size];
        long order = orders[size];
        Runnable action = actions[size];
        actions[size] = null;
        if (first == null || action == null) {
            throw new IllegalStateException("an event without an action");
        }
        if (size > 0) {
            down(time, order, action);
        }
        return first;
    }

    private void up(int from, double time, long order, Runnable action) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) / 2;
            if (times[parent] < time || (times[parent] == time && orders[parent] < order)) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        put(at, time, order, action);
    }

    private void down(double time, long order, Runnable action) {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(child + 1, times[child], orders[child])) {
                child++;
            }
            if (!isBefore(child, time, order)) {
                break;
            }
            move(child, at);
            at = child;
        }
        put(at, time, order, action);
    }

    private boolean isBefore(int at, double time, long order) {
        return times[at] < time || (times[at] == time && orders[at] < order);
    }

    private void move(int from, int to) {
        times[to] = times[from];
        orders[to] = orders[from];
        actions[to] = actions[from];
    }

    private void put(int at, double time, long order, Runnable action) {
        times[at] = time;
        orders[at] = order;
        actions[at] = action;
    }
}
