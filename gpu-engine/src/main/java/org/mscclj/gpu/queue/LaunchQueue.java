package org.mscclj.gpu.queue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.occupancy.DeviceQuiescence;
import org.mscclj.gpu.occupancy.OccupancyReservation;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.gpu.stream.ReplayOrder;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.waiting.Backoff;

/**
 * The launches of one communicator on one rank, in their order, on all streams, including replays of graphs that this
 * library captured. A launch on another stream than the launch before waits for it by an event. Captured launches are
 * ordered among themselves, within one capture. Replays by other software cannot be ordered here; a word on the device
 * shows kernels whether another launch is at work.
 *
 * <p>Callers hold the queue's lock while they enqueue. The driver may block them there if too much is enqueued.
 * Therefore the watchdog does not wait for the lock, and a launch waits for capacity before it takes the lock.
 */
public final class LaunchQueue implements ReplayOrder, DeviceQuiescence.Launcher {
    /**
     * The queue records a mark after this many launches that no caller joins, so that capacity becomes free again long
     * before all of them have ended.
     */
    private static final long LAUNCHES_BETWEEN_MARKS = LaunchCapacity.MAX_IN_FLIGHT / 4;

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final long number = ReplayOrder.newNumber();
    private final QueueLock lock = new QueueLock();
    private final BackendDevice device;
    private final LaunchOrder order;

    /** The reference that streams keep. */
    private final WeakReference<LaunchOrder> orderOfStreams;

    private final LaunchCapacity capacity;
    private final AbortFlag abort;
    private final OccupancyReservation residency;
    private final DeviceQuiescence quiet;
    private final RunningWord running;
    private final CaptureOrder captures;
    private final AbortRequests requests = new AbortRequests();
    private final LastLaunch last;
    private final LaunchEnds ends;
    private final UsedStreams streams = new UsedStreams(this::streamCloses, this::streamIsCaptured);

    private volatile boolean refusing;
    private volatile boolean closed;

    private int users;

    public LaunchQueue(BackendDevice device, DeviceContext context, LaunchOrder order, AbortFlag abort) {
        this.device = device;
        this.order = order;
        this.orderOfStreams = new WeakReference<>(order);
        this.capacity = new LaunchCapacity(order);
        this.abort = abort;
        this.residency = OccupancyReservation.of(context);
        this.quiet = DeviceQuiescence.of(context);
        List<Event> made = new ArrayList<>();
        try {
            this.last = new LastLaunch(context, created(device, made));
            this.captures = new CaptureOrder(created(device, made));
            this.ends = new LaunchEnds(context, order, last, created(device, made));
            this.running = new RunningWord(device);
        } catch (RuntimeException | Error e) {
            made.forEach(Event::close);
            throw e;
        }
        order.pollBy(this::look);
        quiet.add(this);
    }

    private static Event created(BackendDevice device, List<Event> made) {
        Event event = device.createEvent();
        made.add(event);
        return event;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public ReentrantLock lock() {
        return lock;
    }

    public LaunchOrder order() {
        return order;
    }

    /** What may request an abort of the communicator. */
    public AbortRequests requests() {
        return requests;
    }

    /**
     * Clears an interrupt while it waits, and restores it at the end: with the interrupt set, the pauses would end at
     * once.
     */
    @Override
    public void awaitCapacity(long more) {
        boolean interrupted = false;
        try {
            while (!capacity.has(more) && !abort.isSet() && !refusing && !closed) {
                look();
                if (!capacity.has(more)) {
                    interrupted |= Thread.interrupted();
                    Backoff.nap(PAUSE_NANOS);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The device address of the word that is not 0 while a launch is at work. */
    public long running() {
        return running.address();
    }

    public void enter() {
        users++;
    }

    public boolean leave() {
        return --users == 0;
    }

    /**
     * Reserves capacity on the GPU for a kernel of this communicator.
     *
     * @return whether there is capacity
     */
    public boolean reserve(int blocks, int perMultiprocessor) {
        return residency.reserve(OccupancyReservation.Owner.COMMUNICATOR, this, blocks, perMultiprocessor);
    }

    /** Reserves more blocks for kernels like those before, if much capacity is left; returns whether it has. */
    public boolean extendReservation(int blocks) {
        return residency.extend(this, blocks);
    }

    /** Whether such a reservation would leave the other ranks on the GPU their share. */
    public boolean isShare(int blocks, int perMultiprocessor) {
        return residency.isShare(blocks, perMultiprocessor);
    }

    /** Describes the reservations on the GPU. */
    public String reserved() {
        return residency.toString();
    }

    /** Orders the next work on a stream after the previous launch. Nothing has changed if this throws. */
    public void orderNext(GpuStream stream) {
        stream.ensureFirstWork();
        followLast(stream);
        if (last.ticket() % LAUNCHES_BETWEEN_MARKS == 0) {
            findEnded();
            ends.markBefore(stream);
        }
    }

    /**
     * Counts a launch that has been enqueued on a stream. Returns its ticket. Allocates nothing except at the first
     * launch on a stream.
     *
     * @param shared whether all ranks make the launch
     * @param more the number of kernels of the launch
     */
    public long begin(GpuStream stream, boolean shared, long more) {
        last.begin(stream);
        stream.launched(orderOfStreams);
        streams.add(stream);
        capacity.enqueue(more);
        long ticket = shared ? order.take() : order.takeAlone();
        last.took(ticket);
        capacity.taken(ticket);
        return ticket;
    }

    /** Orders the next launch after what a failed one may have left on a stream, which other ranks do not count. */
    public void failed(GpuStream stream) {
        last.failed(stream, device.createEvent());
    }

    /** Records which launch was begun and enqueued last. */
    public void enqueued(PreparedLaunch launch, long launchNumber) {
        last.enqueued(launch, launchNumber);
    }

    @Override
    public void follow(GpuStream stream) {
        if (abort.isSet()) {
            throw abort.exception("replay of a graph");
        }
        if (refusing || closed) {
            throw new InvalidArgumentException(
                    "a communicator of which this graph has launches is closed; close communicators after the"
                            + " graphs that use them");
        }
        followLast(stream);
    }

    @Override
    public long beginReplay(GpuStream stream, boolean shared) {
        return begin(stream, shared, 1); // to the driver a graph is one launch
    }

    @Override
    public void markReplay() {
        ends.markReplay();
    }

    @Override
    public void replayed(long ticket) {
        order.replayed(ticket);
    }

    /** Refuses replays from now on, since the communicator is being closed. */
    public void refuseReplays() {
        lock.lock();
        try {
            refusing = true;
        } finally {
            lock.unlock();
        }
    }

    private void followLast(GpuStream stream) {
        if (last.orderBefore(stream)) {
            return;
        }
        findEnded(); // a mark after a replay may show that it has
        if (!last.hasEnded()) {
            throw new InvalidArgumentException(
                    "the communicator's launch before this one is on a stream that is being captured now, or"
                            + " was closed during a capture,"
                            + " so nothing can wait for it; join it before the capture, or launch after the capture");
        }
    }

    private void streamIsCaptured(GpuStream stream) {
        lock.lock();
        try {
            last.streamIsCaptured(stream);
        } finally {
            lock.unlock();
        }
    }

    private void streamCloses(GpuStream stream) {
        lock.lock();
        try {
            streams.remove(stream);
            if (last.streamCloses(stream)) {
                ends.ended(last.ticket());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The order of the captured launches. The caller holds the lock. */
    public CaptureOrder captures() {
        return captures;
    }

    /** Records that all launches up to a ticket have ended. */
    public void ended(long ticket) {
        lock.lock();
        try {
            ends.ended(ticket);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Finds out which launches have ended and whether kernels request an abort, where no caller waits for them. Does
     * not wait for a launch that the driver blocks, so that the watchdog notices the launches that have not ended.
     */
    private void look() {
        requests.poll();
        if (!lock.lockSoon()) {
            return;
        }
        try {
            findEnded();
        } finally {
            lock.unlock();
        }
        requests.poll(); // again: a launch that ended meanwhile may have requested an abort
    }

    private void findEnded() {
        if (!closed) {
            ends.find();
        }
    }

    /** Whether all work enqueued here has ended, including replays of graphs that this library captured. */
    public boolean isIdle() {
        lock.lock();
        try {
            return last.isIdle(true); // during a capture, only the launches' own words show progress
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isQuiet() {
        return closed || last.hasEnded() || last.isIdle(false);
    }

    /**
     * Throws if the driver reports a failure. The failure need not be the GPU's, so only the watchdog ends the
     * communicator, and only if its own queries fail too. Does not wait for a thread that is launching.
     */
    public void failIfFailed() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!closed) {
                last.failIfFailed();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Orders work that is enqueued on a stream, of any GPU, from now on after a launch here that has not ended and the
     * other work on the launch's stream.
     */
    public void orderAfter(GpuStream first, GpuStream then) {
        lock.lock();
        try {
            boolean open = streams.has(first);
            if (!open && first.isOwned()) {
                return; // an owned stream is empty when it is closed
            }
            if (!open) {
                followLast(then); // the last launch comes after it
                return;
            }
            try (Event between = device.createEvent()) {
                if (first.recordUnlessCapturing(between)) {
                    then.await(between);
                } else if (!last.awaitBehind(first, then)) {
                    throw new InvalidArgumentException(
                            "the launch is on a stream that is being captured now, so nothing can wait for it;"
                                    + " join it before the capture, or order streams after it then");
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Keeps the parts of this queue that kernels in graphs still read after it is closed. */
    public void remainsFor(DeferredRelease remains) {
        remains.add(running.hold());
    }

    /** Frees the resources of the queue. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            order.stopPolling();
            streams.clear();
            residency.release(this);
            last.close();
            captures.close();
            ends.close();
            running.drop();
        } finally {
            lock.unlock();
            quiet.remove(this);
        }
    }
}
