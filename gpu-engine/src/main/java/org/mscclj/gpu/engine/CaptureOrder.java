package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.Event;
import org.mscclj.gpu.stream.GpuStream;

/**
 * The order of a communicator's launches within each capture: several captures may be under way at once, and each on
 * several streams. What different graphs hold is ordered when they are replayed. The caller locks.
 */
final class CaptureOrder implements AutoCloseable {
    /** Where something was captured last. */
    private record Latest(long capture, GpuStream stream) {}

    private final Event between;
    private final List<Latest> captures = new ArrayList<>();

    /**
     * Nothing was captured yet.
     *
     * @param between to order streams with; closed with this
     */
    CaptureOrder(Event between) {
        this.between = between;
    }

    /**
     * Orders what is captured next on a stream after what was captured last, if that was on another stream of the same
     * capture.
     */
    @SuppressWarnings("ReferenceEquality") // the same stream
    void orderNext(GpuStream stream, long capture) {
        for (Latest latest : captures) {
            GpuStream before = latest.stream;
            if (latest.capture == capture && before != stream && !before.isClosed()) {
                before.record(between);
                stream.await(between);
            }
        }
    }

    /**
     * Says where something was captured. What is known of captures that are over is forgotten when their streams are
     * used again, or closed.
     */
    void captured(GpuStream stream, long capture) {
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
