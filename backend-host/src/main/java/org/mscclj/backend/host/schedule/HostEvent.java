package org.mscclj.backend.host.schedule;

import java.util.Objects;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * An event: its latest recording. Whoever awaits the event awaits that one, whatever is recorded later, on whichever
 * stream.
 */
public final class HostEvent implements Event {
    /** Where the event was recorded last. */
    sealed interface Point permits Recording, CaptureMark {
        /**
         * Whether the stream has come so far.
         *
         * @throws InvalidArgumentException if the point is part of a graph, which may come so far any number of times
         */
        boolean isReached();
    }

    /** A point of a stream, which is reached when the command has been carried out. */
    static final class Recording implements Command, Point {
        private volatile boolean reached;

        private final Command waiting = ticket -> reached;

        @Override
        public boolean control(long ticket) {
            reached = true;
            return true;
        }

        /** A command that ends when the point has been reached. */
        Command waiting() {
            return waiting;
        }

        @Override
        public boolean isReached() {
            return reached;
        }
    }

    private static final Recording NEVER_RECORDED = new Recording();

    static {
        NEVER_RECORDED.reached = true;
    }

    private volatile Point latest = NEVER_RECORDED;
    private volatile boolean closed;

    /** An event that was never recorded. */
    public HostEvent() {}

    static HostEvent of(Event event) {
        Objects.requireNonNull(event, "event");
        if (event instanceof HostEvent host) {
            host.requireOpen();
            return host;
        }
        throw InvalidArgumentException.of(
                "event", event.getClass().getName(), "an event created by a device of the host backend");
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("the event is closed; create another one");
        }
    }

    Point latest() {
        return latest;
    }

    /** Whether it was recorded at all. */
    @SuppressWarnings("ReferenceEquality") // there is one such point
    boolean isRecorded() {
        return latest != NEVER_RECORDED;
    }

    /** The event was recorded: to be called when the recording is enqueued, or captured. */
    void recorded(Point point) {
        latest = point;
    }

    @Override
    public boolean isReached() {
        requireOpen();
        return latest.isReached();
    }

    @Override
    public void close() {
        closed = true; // it holds nothing but heap memory
    }
}
