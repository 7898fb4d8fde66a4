package org.mscclj.gpu.queue;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.Event;
import org.mscclj.gpu.stream.GpuStream;

/**
 * Orders a communicator's launches within each capture. Several captures may be under way at once, and each may span
 * several streams. Launches in different graphs are ordered when the graphs are replayed. The caller holds the lock.
 */
public final class CaptureOrder implements AutoCloseable {
    /** The capture and the stream of a captured launch, the last one of that capture. */
    private record Latest(long capture, GpuStream stream) {}

    private final Event between;
    private final List<Latest> captures = new ArrayList<>();

    /**
     * Creates an order without captured launches.
     *
     * @param between the event that orders streams; closed with this
     */
    public CaptureOrder(Event between) {
        this.between = between;
    }

    /**
     * Orders the next captured launch on a stream after the last captured one, if that is on another stream of the same
     * capture.
     */
    @SuppressWarnings("ReferenceEquality") // compares the objects
    public void orderNext(GpuStream stream, long capture) {
        for (Latest latest : captures) {
            GpuStream before = latest.stream;
            if (latest.capture == capture && before != stream && !before.isClosed()) {
                before.record(between);
                stream.await(between);
            }
        }
    }

    /**
     * Records the capture and the stream of a launch. Entries of captures that are over are removed when their streams
     * are used again or closed.
     */
    public void captured(GpuStream stream, long capture) {
        captures.removeIf(latest ->
                latest.capture == capture || latest.stream.isClosed() || latest.stream.handle() == stream.handle());
        captures.add(new Latest(capture, stream));
    }

    @Override
    public void close() {
        captures.clear();
        between.close();
    }
}
