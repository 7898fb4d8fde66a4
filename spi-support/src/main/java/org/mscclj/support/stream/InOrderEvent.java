package org.mscclj.support.stream;

import java.util.Objects;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;

/** An event of an {@link InOrderStream}, which refers to its latest recording. */
public final class InOrderEvent implements Event {
    /**
     * A point of a stream.
     *
     * @param stream counts the ended work of the stream
     * @param position the number of works up to the point
     */
    record Point(EndCounter stream, long position) {
        boolean isReached() {
            return stream.reached(position);
        }
    }

    private volatile Point latest = new Point(new EndCounter(), 0);
    private volatile boolean closed;

    /** An event that was never recorded. */
    public InOrderEvent() {}

    /**
     * Casts an event.
     *
     * @throws InvalidArgumentException if it belongs to another backend, or is closed
     */
    static InOrderEvent of(Event event) {
        Objects.requireNonNull(event, "event");
        if (event instanceof InOrderEvent own) {
            own.requireOpen();
            return own;
        }
        throw InvalidArgumentException.of(
                "event", event.getClass().getName(), "an event created by a device of the stream's backend");
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("the event is closed; create another one");
        }
    }

    Point latest() {
        return latest;
    }

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
