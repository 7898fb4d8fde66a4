package org.mscclj.backend.host.schedule;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;

/**
 * The lifetime of a graph: from the beginning of its capture until it is closed and no replay of it is in flight.
 * Meanwhile its launches, and the buffers of its copies, cannot be freed. Safe for use by several threads; never
 * blocks.
 */
final class HostGraphLife implements BufferUser {
    private final BackendDevice device;
    private final Set<CapturedHostLaunch> launches = new LinkedHashSet<>();
    private final List<DeviceBuffer> buffers = new ArrayList<>();
    private CapturedHostLaunch[] held = {};
    private int replays;
    private boolean closed;
    private volatile boolean over;

    HostGraphLife(BackendDevice device) {
        this.device = device;
    }

    /** Adds a launch of the graph. */
    synchronized void add(CapturedHostLaunch launch) {
        if (launches.add(launch)) {
            launch.hold();
            held = launches.toArray(CapturedHostLaunch[]::new);
        }
    }

    /**
     * Adds a buffer from or to which the graph copies.
     *
     * @throws InvalidArgumentException if it is closed, or belongs to another backend
     */
    synchronized void add(DeviceBuffer buffer) {
        device.addUser(buffer, this);
        buffers.add(buffer);
    }

    /**
     * Registers a replay that is about to be enqueued. Allocates nothing.
     *
     * @throws org.mscclj.api.error.MsccljException if the graph is closed, or one of its launches may not be launched
     *     any more
     */
    synchronized void beginReplay() {
        if (closed) {
            throw new InvalidArgumentException("the graph is closed; capture another one");
        }
        int begun = 0;
        try {
            while (begun < held.length) {
                held[begun].beginReplay();
                begun++;
            }
        } finally {
            if (begun < held.length) {
                endReplays(begun);
            }
        }
        replays++;
    }

    private void endReplays(int count) {
        for (int i = 0; i < count; i++) {
            held[i].endReplay();
        }
    }

    /** Registers the end of a replay, or that it could not be enqueued. */
    synchronized void endReplay() {
        endReplays(held.length);
        replays--;
        endIfUnused();
    }

    /** Ends the lifetime after the replays in flight. Idempotent. */
    synchronized void close() {
        closed = true;
        endIfUnused();
    }

    private void endIfUnused() {
        if (closed && replays == 0 && !over) {
            over = true;
            launches.forEach(CapturedHostLaunch::drop);
            buffers.forEach(buffer -> device.removeUser(buffer, this));
        }
    }

    @Override
    public boolean isUsing() { // without the monitor: the caller has the buffer's, which is taken with this one held
        return !over;
    }

    @Override
    public void bufferClosed() {
        // the graph has ended and holds no resources
    }
}
