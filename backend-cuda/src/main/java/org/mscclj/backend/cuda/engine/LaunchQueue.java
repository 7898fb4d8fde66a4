package org.mscclj.backend.cuda.engine;

import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.stream.CudaEvent;
import org.mscclj.backend.cuda.stream.CudaStream;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * The launches of one communicator on one rank, in their order, whatever streams they are on: a launch on another stream than the one before waits for
 * it by an event. Captured launches are ordered among themselves, within one capture.
 *
 * <p>Callers hold its monitor while they enqueue.
 */
final class LaunchQueue {
    private final LaunchOrder order;
    private final Residency residency;
    private final Event event;
    private final Event captured;
    private @Nullable CudaStream last;
    private @Nullable CudaStream lastCaptured;
    private int users;
    private long ended;

    LaunchQueue(BackendDevice device, DeviceContext context, LaunchOrder order) {
        this.order = order;
        this.residency = Residency.of(context);
        this.event = device.createEvent();
        this.captured = device.createEvent();
    }

    LaunchOrder order() {
        return order;
    }

    void enter() {
        users++;
    }

    boolean leave() {
        return --users == 0;
    }

    /**
     * Reserves room on the GPU for a kernel of this communicator.
     *
     * @return whether there is
     */
    boolean reserve(int blocks, int perMultiprocessor) {
        return residency.reserve(this, blocks, perMultiprocessor);
    }

    /** Whether that would leave the other ranks on the GPU their share. */
    boolean isShare(int blocks, int perMultiprocessor) {
        return residency.isShare(blocks, perMultiprocessor);
    }

    /** What is reserved on the GPU, in words. */
    String reserved() {
        return residency.toString();
    }

    /** Orders what is enqueued next on a stream after the launch before. Returns the ticket of the next launch. */
    @SuppressWarnings("ReferenceEquality") // the same stream
    long begin(CudaStream stream, boolean capturing) {
        if (capturing) {
            orderCapturedAfter(stream);
            lastCaptured = stream;
            return 0;
        }
        CudaStream before = last;
        // A stream that we made is empty when it is closed.
        if (before != null && before != stream && !(before.isClosed() && before.isOwned())) {
            if (before.isCapturing()) {
                throw new InvalidArgumentException(
                        "the communicator's launch before this one is on a stream that is being captured now,"
                                + " so nothing can wait for it; join it before the capture, or launch after the capture");
            }
            CudaEvent.of(event).record(before.handle());
            stream.await(event);
        }
        last = stream;
        return order.take();
    }

    /** Orders what is captured next on a stream after the launch that was captured last, if that was on another stream of the same capture. */
    @SuppressWarnings("ReferenceEquality") // the same stream
    void orderCapturedAfter(CudaStream stream) {
        CudaStream before = lastCaptured;
        if (before != null && before != stream && !before.isClosed() && before.isCapturing()) {
            before.record(captured);
            stream.await(captured);
        }
    }

    /** Says that all launches up to a ticket have ended. */
    synchronized void ended(long ticket) {
        if (ticket > ended) {
            ended = ticket;
            order.ended(ticket);
        }
    }

    /** Orders what is enqueued on a stream from now on after all launches made so far on another. */
    static void orderAfter(CudaStream first, CudaStream then, BackendDevice device) {
        if (first.isClosed() && first.isOwned()) {
            return; // it is empty
        }
        try (Event between = device.createEvent()) {
            CudaEvent.of(between).record(first.handle());
            then.await(between);
        }
    }

    void close() {
        residency.release(this);
        event.close();
        captured.close();
    }
}
