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
 * The launches of one communicator on one rank, in their order, whatever streams they are on, replays of our graphs
 * included: a launch on another stream than the one before waits for it by an event. Captured launches are ordered
 * among themselves, within one capture. What other software replays cannot be ordered here; a word on the device tells
 * kernels whether another one is at work.
 *
 * <p>Callers hold its lock while they enqueue. The driver may keep them there, if too much is enqueued: who watches the
 * communicator does not wait for the lock, and launches wait for room before they take it.
 */
final class LaunchQueue implements ReplayOrder, DeviceQuiescence.Launcher {
    /**
     * So often a mark is set behind a launch that nobody joins, so that there is room again long before all have ended.
     */
    private static final long LAUNCHES_BETWEEN_MARKS = LaunchCapacity.MOST_IN_FLIGHT / 4;

    private static final long LONGEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final long number = ReplayOrder.newNumber();
    private final ReentrantLock lock = new ReentrantLock();
    private final BackendDevice device;
    private final DeviceContext context;
    private final LaunchOrder order;

    /** What streams keep of it. */
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

    /** Where the last launch is, while that stream is open. */
    private @Nullable GpuStream last;

    private @Nullable GpuLaunch lastLaunch;
    private long lastLaunchNumber;

    /** Whether the event is behind everything. */
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
     * Looks at a word too, in which kernels may ask for an abort, whether or not anybody waits for them, until that is
     * taken back.
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

    /** Aborts the communicator if a kernel has asked for that. Allocates nothing. */
    void lookAtWords() {
        List<AbortWord> known = words; // one that is forgotten meanwhile says nothing any more
        for (int i = 0; i < known.size(); i++) {
            AbortWord word = known.get(i);
            if (word.isAsked()) {
                boolean _ = word.look();
            }
        }
    }

    /** An interrupt is for who knows what it means, later: with it the pauses would be none. */
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
        return residency.reserve(OccupancyReservation.Owner.COMMUNICATOR, this, blocks, perMultiprocessor);
    }

    /** Whether that would leave the other ranks on the GPU their share. */
    boolean isShare(int blocks, int perMultiprocessor) {
        return residency.isShare(blocks, perMultiprocessor);
    }

    /** What is reserved on the GPU, in words. */
    String reserved() {
        return residency.toString();
    }

    /** Orders what is enqueued next on a stream after the launch before. Nothing has changed if this throws. */
    void orderNext(GpuStream stream) {
        stream.ensureFirstWork();
        if (lastTicket % LAUNCHES_BETWEEN_MARKS == 0) {
            findEnded();
        }
        followLast(stream);
    }

    /**
     * Counts a launch that has been enqueued on a stream. Returns its ticket. Allocates nothing but at the first launch
     * on a stream.
     *
     * @param shared whether all ranks make it
     * @param more how many kernels it has
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

    /** Says which launch it was that was begun last, and enqueued. */
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
        return begin(stream, shared, 1); // to the driver a graph is one
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

    @SuppressWarnings("ReferenceEquality") // the same stream
    private void followLast(GpuStream stream) {
        GpuStream before = last;
        if (before == stream || hasLastEnded()) {
            return;
        }
        if (!eventIsLast && (before == null || !before.recordUnlessCapturing(event))) {
            findEnded(); // a mark behind a replay may say that it has
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
     * Whether it is known that all launches have ended, so that their stream need not be asked, which its owner may
     * have destroyed since.
     */
    private boolean hasLastEnded() {
        return ended == lastTicket || context.isLost() || (lastLaunch != null && lastLaunch.isEnded(lastLaunchNumber));
    }

    /**
     * During the capture, what is on the stream can be followed by an event from before alone. Captures by other
     * software do not come here.
     */
    @SuppressWarnings("ReferenceEquality") // the same stream
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

    /** Afterwards the stream's handle is not used any more: whoever owns it may destroy it next. */
    @SuppressWarnings("ReferenceEquality") // the same stream
    private void streamCloses(GpuStream stream) {
        lock.lock();
        try {
            streams.remove(stream);
            if (last == stream) {
                last = null;
                if (stream.isOwned() || hasLastEnded()) {
                    ended(lastTicket); // a stream that we made is empty when it is closed
                } else if (!eventIsLast) {
                    eventIsLast = stream.recordUnlessCapturing(event);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Which launches are captured in which order. With the lock. */
    CaptureOrder captures() {
        return captures;
    }

    /** Says that all launches up to a ticket have ended. */
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
     * Finds out how far the launches are, and what kernels ask for, where nobody waits for them. Does not wait for a
     * launch that the driver keeps waiting, so that whoever watches deadlines finds what has not ended.
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
        lookAtWords(); // again: what has ended meanwhile may have asked, and is known to have ended now
    }

    /** In its turn among those who launch, but not behind one whom the driver keeps. */
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
                Thread.currentThread().interrupt(); // for who knows what it means
            }
        }
    }

    /**
     * Replays tell nobody that they have ended: it is looked at a mark behind one of them, and then another mark is set
     * behind the last.
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

    /** Whether everything enqueued here has ended, replays of our graphs included. */
    boolean isIdle() {
        lock.lock();
        try {
            return isIdle(true); // what can be known is known by its launches
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
     * Throws if the driver reports a failure. It need not be the GPU's. So only who watches the communicator ends it,
     * if its own questions fail too. Who launches meanwhile is not waited for.
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
     * Orders what is enqueued on a stream, of any GPU, from now on after a launch here that has not ended, and what
     * else is on its stream.
     */
    @SuppressWarnings("ReferenceEquality") // the same stream
    void orderAfter(GpuStream first, GpuStream then) {
        lock.lock();
        try {
            boolean open = streams.has(first);
            if (!open && first.isOwned()) {
                return; // it is empty
            }
            if (!open) {
                followLast(then); // which comes after it
                return;
            }
            try (Event between = device.createEvent()) {
                if (first.recordUnlessCapturing(between)) {
                    then.await(between);
                } else if (eventIsLast && last == first) { // from before the capture
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

    /** What of this queue kernels in some graphs still look at once it is closed. */
    void remainsFor(DeferredRelease remains) {
        remains.add(running.hold());
    }

    /** Frees what the queue has. */
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
