package org.mscclj.analysis.simulate.flow;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs events in the order of their times; events with equal times run in the order of their insertion. Times are
 * nanoseconds, rounded to a grid, so that times that differ only by rounding are equal.
 */
public final class Clock {
    /** Steps of the grid in a nanosecond. */
    private static final double GRID = 1024;

    private static final int MIN = 1024;
    private static final int NOWHERE = -1;

    /** A binary heap. */
    private @Nullable Event[] heap = new Event[MIN];

    private int size;
    private long next;
    private double now;

    /** An action at a time. */
    static final class Event {
        private final Runnable action;
        private double time;
        private long order;
        private int position = NOWHERE;

        private Event(Runnable action) {
            this.action = action;
        }

        private boolean isBefore(Event other) {
            return time < other.time || (time == other.time && order < other.order);
        }
    }

    /** The time of the current event, or of the last one. */
    public double now() {
        return now;
    }

    /** Number of events that have yet to run. */
    int size() {
        return size;
    }

    /** A time rounded to the grid. */
    public static double onGrid(double time) {
        return Math.rint(time * GRID) / GRID;
    }

    /**
     * Adds an event.
     *
     * @param time its time; the current time if that is later
     */
    public void at(double time, Runnable action) {
        event(time, action);
    }

    /** Adds an event that can be moved until it runs. */
    Event event(double time, Runnable action) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        Event event = new Event(action);
        set(event, time);
        up(size++, event);
        return event;
    }

    /** Moves an event that has not run yet, as if it were added anew. */
    void move(Event event, double time) {
        if (event.position == NOWHERE) {
            throw new IllegalStateException("the event of " + event.time + " has already run");
        }
        set(event, time);
        up(event.position, event);
        down(event.position, event);
    }

    private void set(Event event, double time) {
        event.time = Math.max(now, onGrid(time));
        event.order = next++;
    }

    /**
     * Runs until no event is left.
     *
     * @param settle runs after all events of a time
     */
    public void run(Runnable settle) {
        while (size > 0) {
            now = get(0).time;
            while (size > 0 && get(0).time == now) {
                pop().action.run();
            }
            settle.run();
        }
    }

    private Event get(int position) {
        return Objects.requireNonNull(heap[position]);
    }

    private Event pop() {
        Event first = get(0);
        size--;
        Event last = get(size);
        heap[size] = null;
        if (size > 0) {
            down(0, last);
        }
        first.position = NOWHERE;
        return first;
    }

    private void up(int from, Event event) {
        int at = from;
        while (at > 0) {
            Event parent = get((at - 1) / 2);
            if (parent.isBefore(event)) {
                break;
            }
            put(at, parent);
            at = (at - 1) / 2;
        }
        put(at, event);
    }

    private void down(int from, Event event) {
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && get(child + 1).isBefore(get(child))) {
                child++;
            }
            if (event.isBefore(get(child))) {
                break;
            }
            put(at, get(child));
            at = child;
        }
        put(at, event);
    }

    private void put(int at, Event event) {
        heap[at] = event;
        event.position = at;
    }
}
