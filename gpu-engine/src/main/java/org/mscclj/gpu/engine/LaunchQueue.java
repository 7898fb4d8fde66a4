package org.mscclj.gpu.engine;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
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

/**
 * The launches of one communicator on one rank, in their order, on all streams, including replays of graphs that this
 * library captured. A launch on another stream than the launch before waits for it by an event. Captured launches are
 * ordered among themselves, within one capture. Replays by other software cannot be ordered here; a word on the device
 * shows kernels whether another launch is at work.
 *
 * <p>Callers hold the queue's lock while they enqueue. The driver may block them there if too much is enqueued.
 * Therefore the watchdog does not wait for the lock, and a launch waits for capacity before it takes the lock.
 */
final class LaunchQueue implements ReplayOrder, DeviceQuiescence.Launcher {
    /**
     * The queue records a mark after this many launches that no caller joins, so that capacity becomes free again long
     * before all of them have ended.
     */
    private static final long LAUNCHES_BETWEEN_MARKS = LaunchCapacity.MOST_IN_FLIGHT / 4;

    private static final long LONGEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final long number = ReplayOrder.newNumber();
    private final ReentrantLock lock = new ReentrantLock();
    private final BackendDevice device;
    private final DeviceContext context;
    private final LaunchOrder order;

    /** The reference that streams keep. */
    private final WeakReference<LaunchOrder> orderOfStreams;

    private final LaunchCapacity room;
    private final AbortFlag abort;
    private final OccupancyReservation residency;
    private final DeviceQuiescence quiet;
    private final RunningWord running;
    private final Event event;
    private final CaptureOrder captures;
    private final Event mark;
    private final UsedStreams streams = new UsedStreams(this::streamCloses, this::streamIsCaptured);

    private volatile List<AbortWord> words = List.of();
    private volatile boolean refusing;
    private volatile boolean closed;

    /** The stream of the last launch, while that stream is open. */
    private @Nullable GpuStream last;

    private @Nullable GpuLaunch lastLaunch;
    private long lastLaunchNumber;

    /** Whether the event is recorded after all launches. */
    private boolean eventIsLast;

    private int users;
    private long lastTicket;
    private long markedTicket;
    private long ended;

    LaunchQueue(BackendDevice device, DeviceContext context, LaunchOrder order, AbortFlag abort) {
        this.device = device;
        this.context = context;
        this.order = order;
        this.orderOfStreams = new WeakReference<>(order);
        this.room = new LaunchCapacity(order);
        this.abort = abort;
        this.residency = OccupancyReservation.of(context);
        this.quiet = DeviceQuiescence.of(context);
        List<Event> made = new ArrayList<>();
        try {
            this.event = created(device, made);
            this.captures = new CaptureOrder(created(device, made));
            this.mark = created(device, made);
            this.running = new RunningWord(device);
        } catch (RuntimeException | Error e) {
            made.forEach(Event::close);
            throw e;
        }
        order.whenLookedAt(this::look);
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

    LaunchOrder order() {
        return order;
    }

    /**
     * Also reads a word in which kernels may request an abort, whether or not a caller waits for these kernels, until
     * {@link #forget}.
     */
    synchronized void watch(AbortWord word) {
        List<AbortWord> more = new ArrayList<>(words);
        more.add(word);
        words = List.copyOf(more);
    }

    /** Undoes {@link #watch}. */
    synchronized void forget(AbortWord word) {
        List<AbortWord> fewer = new ArrayList<>(words);
        fewer.remove(word);
        words = List.copyOf(fewer);
    }

    /** Aborts the communicator if a kernel has requested that. Allocates nothing. */
    void lookAtWords() {
        List<AbortWord> known = words; // a word that is forgotten meanwhile requests nothing
        for (int i = 0; i < known.size(); i++) {
            AbortWord word = known.get(i);
            if (word.isAsked()) {
                boolean _ = word.look();
            }
        }
    }

    /**
     * Clears an interrupt while it waits, and restores it at the end: with the interrupt set, the pauses would end at
     * once.
     */
    @Override
    public void awaitRoom(long more) {
        boolean interrupted = false;
        try {
            while (!room.has(more) && !abort.isSet() && !refusing && !closed) {
                look();
                if (!room.has(more)) {
                    interrupted |= Thread.interrupted();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The device address of the word that is not 0 while a launch is at work. */
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
     * Reserves capacity on the GPU for a kernel of this communicator.
     *
     * @return whether there is capacity
     */
    boolean reserve(int blocks, int perMultiprocessor) {
        return residency.reserve(OccupancyReservation.Owner.COMMUNICATOR, this, blocks, perMultiprocessor);
    }

    /** Whether such a reservation would leave the other ranks on the GPU their share. */
    boolean isShare(int blocks, int perMultiprocessor) {
        return residency.isShare(blocks, perMultiprocessor);
    }

    /** Describes the reservations on the GPU. */
    String reserved() {
        return residency.toString();
    }

    /** Orders the next work on a stream after the previous launch. Nothing has changed if this throws. */
    void orderNext(GpuStream stream) {
        stream.ensureFirstWork();
        if (lastTicket % LAUNCHES_BETWEEN_MARKS == 0) {
            findEnded();
        }
        followLast(stream);
    }

    /**
     * Counts a launch that has been enqueued on a stream. Returns its ticket. Allocates nothing except at the first
     * launch on a stream.
     *
     * @param shared whether all ranks make the launch
     * @param more the number of kernels of the launch
     */
    long begin(GpuStream stream, boolean shared, long more) {
        last = stream;
        stream.launched(orderOfStreams);
        lastLaunch = null;
        eventIsLast = false;
        streams.add(stream);
        room.enqueue(more);
        lastTicket = shared ? order.take() : order.takeAlone();
        room.taken(lastTicket);
        return lastTicket;
    }

    /** Records which launch was begun and enqueued last. */
    void enqueued(GpuLaunch launch, long launchNumber) {
        lastLaunch = launch;
        lastLaunchNumber = launchNumber;
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
        GpuStream stream = last;
        if (stream != null && markedTicket <= ended) {
            mark(stream);
        }
    }

    private void mark(GpuStream behind) {
        if (behind.recordUnlessCapturing(mark)) {
            markedTicket = lastTicket;
        }
    }

    @Override
    public void replayed(long ticket) {
        order.replayed(ticket);
    }

    /** Refuses replays from now on, since the communicator is being closed. */
    void refuseReplays() {
        lock.lock();
        try {
            refusing = true;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // compares the objects
    private void followLast(GpuStream stream) {
        GpuStream before = last;
        if (before == stream || hasLastEnded()) {
            return;
        }
        if (!eventIsLast && (before == null || !before.recordUnlessCapturing(event))) {
            findEnded(); // a mark after a replay may show that it has
            if (hasLastEnded()) {
                return;
            }
            throw new InvalidArgumentException(
                    "the communicator's launch before this one is on a stream that is being captured now, or"
                            + " was closed during a capture,"
                            + " so nothing can wait for it; join it before the capture, or launch after the capture");
        }
        stream.await(event);
    }

    /**
     * Whether all launches are known to have ended. Then their stream need not be queried; its owner may have destroyed
     * it since.
     */
    private boolean hasLastEnded() {
        return ended == lastTicket || context.isLost() || (lastLaunch != null && lastLaunch.isEnded(lastLaunchNumber));
    }

    /**
     * Records the event before a capture begins: during the capture, other streams can follow the work on this stream
     * only by an event from before. Captures by other software do not call this.
     */
    @SuppressWarnings("ReferenceEquality") // compares the objects
    private void streamIsCaptured(GpuStream stream) {
        lock.lock();
        try {
            if (last == stream && !eventIsLast && !hasLastEnded()) {
                eventIsLast = stream.recordUnlessCapturing(event);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records the event before a stream closes. Afterwards its handle is not used any more: its owner may destroy the
     * stream next.
     */
    @SuppressWarnings("ReferenceEquality") // compares the objects
    private void streamCloses(GpuStream stream) {
        lock.lock();
        try {
            streams.remove(stream);
            if (last == stream) {
                last = null;
                if (stream.isOwned() || hasLastEnded()) {
                    ended(lastTicket); // a stream of this library is empty when it is closed
                } else if (!eventIsLast) {
                    eventIsLast = stream.recordUnlessCapturing(event);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The order of the captured launches. The caller holds the lock. */
    CaptureOrder captures() {
        return captures;
    }

    /** Records that all launches up to a ticket have ended. */
    void ended(long ticket) {
        lock.lock();
        try {
            if (ticket > ended) {
                ended = ticket;
                order.ended(ticket);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Finds out which launches have ended and whether kernels request an abort, where no caller waits for them. Does
     * not wait for a launch that the driver blocks, so that the watchdog notices the launches that have not ended.
     */
    private void look() {
        lookAtWords();
        if (!lockSoon()) {
            return;
        }
        try {
            findEnded();
        } finally {
            lock.unlock();
        }
        lookAtWords(); // again: a launch that ended meanwhile may have requested an abort
    }

    /**
     * Takes the lock in turn with launching threads. Gives up soon, so as not to wait behind a thread that the driver
     * blocks.
     */
    private boolean lockSoon() {
        if (lock.tryLock()) {
            return true;
        }
        boolean interrupted = Thread.interrupted();
        try {
            return lock.tryLock(LONGEST_TURN_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            interrupted = true;
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt(); // for the caller to handle
            }
        }
    }

    /**
     * Replays do not report their end. So this checks a mark recorded after one of them, and then records another mark
     * after the last.
     */
    private void findEnded() {
        if (closed || ended == lastTicket) {
            return;
        }
        if (context.isLost()) {
            ended(lastTicket);
        } else if (eventIsLast) {
            endedIf(event, lastTicket);
        } else if (markedTicket <= ended || endedIf(mark, markedTicket)) {
            GpuStream stream = last;
            if (ended < lastTicket && stream != null) {
                mark(stream);
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

    /** Whether all work enqueued here has ended, including replays of graphs that this library captured. */
    boolean isIdle() {
        lock.lock();
        try {
            return isIdle(true); // during a capture, only the launches' own words show progress
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isQuiet() {
        return closed || hasLastEnded() || isIdle(false);
    }

    private boolean isIdle(boolean whileCaptured) {
        if (context.isLost()) {
            return true;
        }
        if (!eventIsLast) {
            GpuStream stream = last;
            if (stream == null) {
                return true;
            }
            if (!stream.recordUnlessCapturing(event)) {
                return whileCaptured;
            }
            eventIsLast = true;
        }
        return event.isReached();
    }

    /**
     * Throws if the driver reports a failure. The failure need not be the GPU's, so only the watchdog ends the
     * communicator, and only if its own queries fail too. Does not wait for a thread that is launching.
     */
    void failIfFailed() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            GpuStream stream = last;
            if (closed) {
                return;
            }
            if (eventIsLast) {
                boolean _ = event.isReached();
            } else if (stream != null && !stream.isCapturing()) {
                boolean _ = stream.isIdle();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Orders work that is enqueued on a stream, of any GPU, from now on after a launch here that has not ended and the
     * other work on the launch's stream.
     */
    @SuppressWarnings("ReferenceEquality") // compares the objects
    void orderAfter(GpuStream first, GpuStream then) {
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
                } else if (eventIsLast && last == first) { // recorded before the capture
                    then.await(event);
                } else {
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
    void remainsFor(DeferredRelease remains) {
        remains.add(running.hold());
    }

    /** Frees the resources of the queue. */
    void close() {
        lock.lock();
        try {
            closed = true;
            order.lookNoMore();
            streams.clear();
            last = null;
            residency.release(this);
            event.close();
            captures.close();
            mark.close();
            running.drop();
        } finally {
            lock.unlock();
            quiet.remove(this);
        }
    }
}
