package org.mscclj.gpu.queue;

import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Event;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * The last launch of a queue, and how other work is ordered after it: by its stream, or by an event that is recorded
 * after it. Callers hold the lock of the queue.
 */
@SuppressWarnings("ReferenceEquality") // compares the objects
final class LastLaunch {
    private final DeviceContext context;
    private final Event event;

    /** The stream of the launch, while that stream is open. */
    private @Nullable GpuStream stream;

    private @Nullable PreparedLaunch launch;
    private long launchNumber;

    /** Whether the event is recorded after all launches. */
    private boolean recorded;

    /** Is recorded behind what a launch that failed may have left on its stream. */
    private @Nullable Event left;

    private long ticket;
    private long ended;

    /**
     * Creates the state of a queue without launches.
     *
     * @param event owned by this object from now on
     */
    LastLaunch(DeviceContext context, Event event) {
        this.context = context;
        this.event = event;
    }

    /** Another launch is the last one from now on. */
    void begin(GpuStream on) {
        stream = on;
        launch = null;
        recorded = false;
    }

    /**
     * Orders the next launch after what a launch that has failed may have left on its stream, which follows the last
     * launch.
     *
     * @param fresh an event, owned by this object from now on
     */
    void failed(GpuStream on, Event fresh) {
        if (on.recordUnlessCapturing(fresh)) {
            Event before = left; // reached earlier: the failed launch was ordered after it
            left = fresh;
            fresh = before;
        }
        if (fresh != null) {
            fresh.close();
        }
    }

    /** Sets the ticket of the last launch. */
    void took(long taken) {
        ticket = taken;
    }

    /** Sets the object that knows when the last launch has ended. */
    void enqueued(PreparedLaunch by, long number) {
        launch = by;
        launchNumber = number;
    }

    @Nullable
    GpuStream stream() {
        return stream;
    }

    long ticket() {
        return ticket;
    }

    /** The ticket up to which all launches are known to have ended. */
    long ended() {
        return ended;
    }

    /** Records that all launches up to a ticket have ended. Returns whether that was not known. */
    boolean end(long upTo) {
        if (upTo <= ended) {
            return false;
        }
        ended = upTo;
        return true;
    }

    /**
     * Whether all launches are known to have ended. Then their stream need not be queried; its owner may have destroyed
     * it since.
     */
    boolean hasEnded() {
        return ended == ticket || context.isLost() || (launch != null && launch.isEnded(launchNumber));
    }

    /** Whether the event is recorded after all launches. */
    boolean isRecorded() {
        return recorded;
    }

    /** Whether the GPU has reached the event. */
    boolean isReached() {
        return event.isReached();
    }

    /** Orders the next work on a stream after the launch. Returns whether that was possible. Allocates nothing. */
    boolean orderBefore(GpuStream next) {
        Event behind = left;
        if (behind != null) {
            next.await(behind);
            left = null;
            behind.close();
        }
        GpuStream before = stream;
        if (before == next || hasEnded()) {
            return true;
        }
        if (!recorded && (before == null || !before.recordUnlessCapturing(event))) {
            return false;
        }
        next.await(event);
        return true;
    }

    /** Orders a stream after the launch on another stream, which is being captured. Returns whether it could. */
    boolean awaitBehind(GpuStream captured, GpuStream then) {
        if (!recorded || stream != captured) {
            return false;
        }
        then.await(event); // recorded before the capture
        return true;
    }

    /**
     * Records the event before a capture begins: during the capture, other streams can follow the work on this stream
     * only by an event from before. Captures by other software do not call this.
     */
    void streamIsCaptured(GpuStream captured) {
        if (stream == captured && !recorded && !hasEnded()) {
            recorded = captured.recordUnlessCapturing(event);
        }
    }

    /**
     * Records the event before a stream closes. Afterwards the handle of the stream is not used any more: its owner may
     * destroy the stream next.
     *
     * @return whether all launches have ended
     */
    boolean streamCloses(GpuStream closing) {
        if (stream != closing) {
            return false;
        }
        stream = null;
        if (closing.isOwned() || hasEnded()) {
            return true; // a stream of this library is empty when it is closed
        }
        if (!recorded) {
            recorded = closing.recordUnlessCapturing(event);
        }
        return false;
    }

    /**
     * Whether all work on the stream of the launch has ended.
     *
     * @param whileCaptured the answer while the stream is being captured
     */
    boolean isIdle(boolean whileCaptured) {
        if (context.isLost()) {
            return true;
        }
        if (!recorded) {
            GpuStream on = stream;
            if (on == null) {
                return true;
            }
            if (!on.recordUnlessCapturing(event)) {
                return whileCaptured;
            }
            recorded = true;
        }
        return event.isReached();
    }

    /** Throws if the driver reports a failure. */
    void failIfFailed() {
        GpuStream on = stream;
        if (recorded) {
            boolean _ = event.isReached();
        } else if (on != null && !on.isCapturing()) {
            boolean _ = on.isIdle();
        }
    }

    /** Frees the events. */
    void close() {
        stream = null;
        event.close();
        Event behind = left;
        if (behind != null) {
            behind.close();
        }
    }
}
