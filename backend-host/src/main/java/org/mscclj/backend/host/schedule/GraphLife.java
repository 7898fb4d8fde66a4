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
 * Whether a graph, from the beginning of its capture on, is alive: until it is closed, and no replay of it is under
 * way. Meanwhile the launches that it holds and the buffers that it copies between cannot be freed. Safe for use by
 * several threads; never blocks.
 */
final class GraphLife implements BufferUser {
    private final BackendDevice device;
    private final Set<CapturedLaunch> launches = new LinkedHashSet<>();
    private final List<DeviceBuffer> buffers = new ArrayList<>();
    private CapturedLaunch[] held = {};
    private int replays;
    private boolean closed;
    private volatile boolean over;

    GraphLife(BackendDevice device) {
        this.device = device;
    }

    /** The graph holds a launch. */
    synchronized void add(CapturedLaunch launch) {
        if (launches.add(launch)) {
            launch.hold();
            held = launches.toArray(CapturedLaunch[]::new);
        }
    }

    /**
     * The graph copies from or to a buffer.
     *
     * @throws InvalidArgumentException if it is closed, or of another backend
     */
    synchronized void add(DeviceBuffer buffer) {
        device.addUser(buffer, this);
        buffers.add(buffer);
    }

    /**
     * A replay is about to be enqueued. Allocates nothing.
     *
     * @throws org.mscclj.api.error.MsccljException if the graph is closed, or something in it may not be launched any
     *     more
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

    /** A replay has ended, or could not be enqueued. */
    synchronized void endReplay() {
        endReplays(held.length);
        replays--;
        endIfUnused();
    }

    /** There will be no more replays. Idempotent. */
    synchronized void close() {
        closed = true;
        endIfUnused();
    }

    private void endIfUnused() {
        if (closed && replays == 0 && !over) {
            over = true;
            launches.forEach(CapturedLaunch::drop);
            buffers.forEach(buffer -> device.removeUser(buffer, this));
        }
    }

    @Override
    public boolean isUsing() { // without the monitor: the caller has the buffer's, which is taken with this one held
        return !over;
    }

    @Override
    public void bufferClosed() {
        // the graph is gone, and nothing is kept for it
    }
}
