package org.mscclj.backend.host.schedule;

import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;

/** An event: a count of recordings, and how many of them have been reached. */
public final class HostEvent implements Event {
    private final AtomicLong recorded = new AtomicLong();
    private final AtomicLong reached = new AtomicLong();
    private final Command recording = ticket -> {
        reached.accumulateAndGet(ticket, Math::max);
        return true;
    };
    private final Command waiting = ticket -> reached.get() >= ticket;

    /** An event that was never recorded. */
    public HostEvent() {}

    static HostEvent of(Event event) {
        if (event instanceof HostEvent host) {
            return host;
        }
        throw InvalidArgumentException.of(
                "event", event.getClass().getName(), "an event created by a device of the host backend");
    }

    Command recording() {
        return recording;
    }

    Command waiting() {
        return waiting;
    }

    long nextRecording() {
        return recorded.incrementAndGet();
    }

    long latestRecording() {
        return recorded.get();
    }

    @Override
    public boolean isReached() {
        return reached.get() >= recorded.get();
    }

    @Override
    public void close() {
        // holds nothing but heap memory
    }
}
