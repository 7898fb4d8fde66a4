package org.mscclj.backend.cuda.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.stream.CudaEvent;
import org.mscclj.backend.cuda.stream.CudaStream;
import org.mscclj.backend.cuda.stream.RelaxedThread;
import org.mscclj.backend.cuda.stream.ReplayOrder;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * The launches of one communicator on one rank, in their order, whatever streams they are on, replays of our graphs included: a launch on another stream
 * than the one before waits for it by an event. Captured launches are ordered among themselves, within one capture. What other software replays cannot be
 * ordered here; a word on the device tells kernels whether another one is at work.
 *
 * <p>Callers hold its monitor while they enqueue.
 */
final class LaunchQueue implements ReplayOrder {
    private static final AtomicLong LAST_NUMBER = new AtomicLong();

    private final long number = LAST_NUMBER.incrementAndGet();
    private final LaunchOrder order;
    private final AbortFlag abort;
    private final Residency residency;
    private final RunningWord running;
    private final Event event;
    private final Event captured;
    private final Event mark;
    private final Runnable streamCloses = this::streamCloses;

    private @Nullable CudaStream last;
    private @Nullable CudaLaunch lastLaunch;
    private long lastLaunchNumber;
    private boolean eventIsLast;
    private @Nullable CudaStream lastCaptured;
    private long lastCapture;
    private int users;
    private long lastTicket;
    private long markedTicket;
    private long ended;
    private boolean refusing;
    private boolean closed;

    LaunchQueue(BackendDevice device, DeviceContext context, LaunchOrder order, AbortFlag abort) {
        this.order = order;
        this.abort = abort;
        this.residency = Residency.of(context);
        this.event = device.createEvent();
        this.captured = device.createEvent();
        this.mark = device.createEvent();
        this.running = new RunningWord(device);
        residency.addCommunicator();
        order.whenLookedAt(this::look);
    }

    @Override
    public long number() {
        return number;
    }

    LaunchOrder order() {
        return order;
    }

    /** The word that is not 0 while a launch is at work; on the device. */
    long running() {
        return running.address();
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
    long begin(CudaStream stream) {
        follow(stream);
        CudaStream before = last;
        if (before != null && before != stream && !before.isOwned()) {
            before.forget(streamCloses);
        }
        last = stream;
        lastLaunch = null;
        eventIsLast = false;
        if (!stream.isOwned()) {
            stream.beforeClosing(streamCloses);
        }
        lastTicket = order.take();
        return lastTicket;
    }

    /** Says which launch it was that was begun last, and enqueued. */
    void enqueued(CudaLaunch launch, long launchNumber) {
        lastLaunch = launch;
        lastLaunchNumber = launchNumber;
    }

    @Override
    public void beginReplay(CudaStream stream, boolean shared) {
        if (abort.isSet()) {
            throw abort.exception("replay of a graph");
        }
        if (refusing || closed) {
            throw new InvalidArgumentException(
                    "a communicator of which this graph has launches is closed; close communicators after the graphs that use them");
        }
        long ticket = begin(stream);
        if (!shared) {
            order.countAlone(1);
        }
        order.replayed(ticket);
    }

    /** Refuses replays from now on, since the communicator is being closed. */
    synchronized void refuseReplays() {
        refusing = true;
    }

    @SuppressWarnings("ReferenceEquality") // the same stream
    private void follow(CudaStream stream) {
        if (eventIsLast) {
            stream.await(event);
            return;
        }
        CudaStream before = last;
        // A stream that we made is empty when it is closed.
        if (before == null || before == stream || (before.isClosed() && before.isOwned())) {
            return;
        }
        if (before.isCapturing()) {
            if (lastLaunch == null || !lastLaunch.isEnded(lastLaunchNumber)) {
                throw new InvalidArgumentException(
                        "the communicator's launch before this one is on a stream that is being captured now,"
                                + " so nothing can wait for it; join it before the capture, or launch after the capture");
            }
            return;
        }
        CudaEvent.of(event).record(before.handle());
        stream.await(event);
    }

    /** Whoever owns the stream may destroy it next, so that it could not be asked later. */
    private synchronized void streamCloses() {
        CudaStream stream = last;
        if (!closed && stream != null && !stream.isOwned() && !stream.isCapturing()) {
            CudaEvent.of(event).record(stream.handle());
            eventIsLast = true;
        }
    }

    /** Orders what is captured next on a stream after the launch that was captured last, if that was on another stream of the same capture. */
    @SuppressWarnings("ReferenceEquality") // the same stream
    void orderCapturedAfter(CudaStream stream, long capture) {
        CudaStream before = lastCaptured;
        if (before != null && before != stream && capture == lastCapture && !before.isClosed()) {
            before.record(captured);
            stream.await(captured);
        }
    }

    /** Says where something was captured last. */
    void captured(CudaStream stream, long capture) {
        lastCaptured = stream;
        lastCapture = capture;
    }

    /** Says that all launches up to a ticket have ended. */
    synchronized void ended(long ticket) {
        if (ticket > ended) {
            ended = ticket;
            order.ended(ticket);
        }
    }

    /**
     * Finds out how far the launches are, for which nobody waits, and of which replays tell nobody: it is looked at a mark behind one of them, and then another mark is
     * set behind the last.
     */
    private synchronized void look() {
        CudaStream stream = last;
        if (closed || stream == null || ended == lastTicket) {
            return;
        }
        try (RelaxedThread _ = RelaxedThread.enter()) {
            if (eventIsLast) {
                endedIf(event, lastTicket);
            } else if (stream.isClosed()) {
                ended(lastTicket); // it is empty
            } else if (markedTicket <= ended || endedIf(mark, markedTicket)) {
                if (ended < lastTicket && !stream.isCapturing()) {
                    CudaEvent.of(mark).record(stream.handle());
                    markedTicket = lastTicket;
                }
            }
        }
    }

    private boolean endedIf(Event behind, long ticket) {
        boolean reached = behind.isReached();
        if (reached) {
            ended(ticket);
        }
        return reached;
    }

    /** Whether everything enqueued here has ended, replays of our graphs included. */
    synchronized boolean isIdle() {
        CudaStream stream = last;
        if (stream != null && !eventIsLast) {
            if (stream.isClosed() || stream.isCapturing()) {
                return true; // it is empty, or what can be known is known by its launches
            }
            CudaEvent.of(event).record(stream.handle());
            eventIsLast = true;
        }
        return stream == null || event.isReached();
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

    /** What of this queue kernels in some graphs still look at once it is closed. */
    void remainsFor(Remains remains) {
        remains.add(running.hold());
    }

    /** Frees what the queue has. */
    synchronized void close() {
        closed = true;
        order.whenLookedAt(() -> {});
        CudaStream stream = last;
        if (stream != null) {
            stream.forget(streamCloses);
        }
        residency.release(this);
        residency.removeCommunicator();
        event.close();
        captured.close();
        mark.close();
        running.drop();
    }
}
