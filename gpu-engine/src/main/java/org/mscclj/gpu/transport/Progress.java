package org.mscclj.gpu.transport;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.stream.GpuEvent;

/**
 * How far a connection's stream is. An event is recorded when somebody asks and there is something new, not for every
 * operation; a few may be under way, so that who asks is not told about an old one only when everything since has ended
 * too. Allocates nothing.
 */
final class Progress implements AutoCloseable {
    private static final int EVENTS = 4;

    private final GpuEvent[] events = new GpuEvent[EVENTS];
    private final long[] positions = new long[EVENTS];
    private final long stream;
    private long completed;
    private long recorded;

    /** Events recorded and reached, so that those under way are the numbers between. */
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

    /** The last position known to be completed, if so many operations were enqueued. */
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
