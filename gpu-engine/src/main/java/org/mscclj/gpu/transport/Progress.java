package org.mscclj.gpu.transport;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.stream.GpuEvent;

/**
 * The progress of a connection's stream. An event is recorded when a caller asks for the progress and there are new
 * operations, not for every operation. A few events may be in flight, so that a caller sees the completion of older
 * operations before all later ones have ended. Allocates nothing.
 */
final class Progress implements AutoCloseable {
    private static final int EVENTS = 4;

    private final GpuEvent[] events = new GpuEvent[EVENTS];
    private final long[] positions = new long[EVENTS];
    private final long stream;
    private long completed;
    private long recorded;

    /**
     * The number of events recorded and reached. The events in flight are the numbers from this one up to
     * {@link #next}.
     */
    private long first;

    private long next;

    Progress(DeviceContext context, long stream) {
        this.stream = stream;
        for (int i = 0; i < EVENTS; i++) {
            try {
                events[i] = GpuEvent.create(context);
            } catch (RuntimeException | Error e) {
                for (int made = 0; made < i; made++) {
                    events[made].close();
                }
                throw e;
            }
        }
    }

    /** The last position known to be completed, of this many enqueued operations. */
    long completed(long posted) {
        while (first < next && events[slot(first)].isReached()) {
            completed = positions[slot(first)];
            first++;
        }
        if (posted > recorded && next - first < EVENTS) {
            events[slot(next)].record(stream);
            positions[slot(next)] = posted;
            next++;
            recorded = posted;
        }
        return completed;
    }

    private static int slot(long number) {
        return (int) (number % EVENTS);
    }

    @Override
    public void close() {
        for (GpuEvent event : events) {
            event.close();
        }
    }
}
