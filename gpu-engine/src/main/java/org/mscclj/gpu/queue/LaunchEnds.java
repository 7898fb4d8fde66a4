package org.mscclj.gpu.queue;

import org.mscclj.api.device.Event;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * Finds out which launches of a queue have ended where no caller joins them, and reports them to the communicator.
 * Replays do not report their end; a mark behind one of them shows it. Callers hold the lock of the queue.
 */
final class LaunchEnds {
    private final DeviceContext context;
    private final LaunchOrder order;
    private final LastLaunch last;
    private final Event mark;
    private long markedTicket;

    /**
     * Creates the state of a queue without launches.
     *
     * @param mark owned by this object from now on
     */
    LaunchEnds(DeviceContext context, LaunchOrder order, LastLaunch last, Event mark) {
        this.context = context;
        this.order = order;
        this.last = last;
        this.mark = mark;
    }

    /** Records that all launches up to a ticket have ended. */
    void ended(long ticket) {
        if (last.end(ticket)) {
            order.ended(ticket);
        }
    }

    /** Records a mark behind a replay, unless a mark is on its way. */
    void markReplay() {
        GpuStream stream = last.stream();
        if (stream != null && markedTicket <= last.ended()) {
            mark(stream);
        }
    }

    /**
     * Records a mark behind the last launch on the stream of the next one, which follows it, unless a mark is on its
     * way. The last launch's own stream may be closed.
     */
    void markBefore(GpuStream next) {
        if (markedTicket <= last.ended() && last.ended() < last.ticket()) {
            mark(next);
        }
    }

    private void mark(GpuStream behind) {
        if (behind.recordUnlessCapturing(mark)) {
            markedTicket = last.ticket();
        }
    }

    /**
     * Checks the event behind the last launch, or else the mark, and then records another mark after the last launch.
     */
    void find() {
        long ticket = last.ticket();
        if (last.ended() == ticket) {
            return;
        }
        if (context.isLost() || (last.isRecorded() && last.isReached())) {
            ended(ticket);
        } else if ((markedTicket <= last.ended() || isMarkReached()) && !last.isRecorded()) {
            GpuStream stream = last.stream();
            if (last.ended() < ticket && stream != null) {
                mark(stream);
            }
        }
    }

    private boolean isMarkReached() {
        boolean reached = mark.isReached();
        if (reached) {
            ended(markedTicket);
        }
        return reached;
    }

    /** Frees the mark. */
    void close() {
        mark.close();
    }
}
