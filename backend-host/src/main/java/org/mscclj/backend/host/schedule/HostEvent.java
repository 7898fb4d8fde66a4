package org.mscclj.backend.host.schedule;

import java.util.Objects;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * An event, which refers to its latest recording. A wait for the event waits for the recording that is the latest at
 * that moment, independently of later recordings on any stream.
 */
public final class HostEvent implements Event {
    /** The point of a recording. */
    sealed interface Point permits Recording, CaptureMark {
        /**
         * Whether the stream has reached the point.
         *
         * @throws InvalidArgumentException if the point is part of a graph, which may reach it any number of times
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

    /** Whether the event was ever recorded. */
    @SuppressWarnings("ReferenceEquality") // there is one such point
    boolean isRecorded() {
        return latest != NEVER_RECORDED;
    }

    /** Sets the latest recording; called when the recording is enqueued, or captured. */
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
        closed = true; // it holds only heap memory
    }
}
