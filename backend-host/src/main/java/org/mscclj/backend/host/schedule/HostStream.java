package org.mscclj.backend.host.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.Lateness;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.support.stream.EndCounter;

/**
 * A bounded queue of commands, carried out in order.
 *
 * <p>Happens-before: {@code tail} is advanced with release under the monitor after the slot is written, and read with
 * acquire, so that every thread that works on a command sees it completely. {@link Command#control} runs under the
 * claim, a compare-and-set released by a store, so that its calls are ordered among each other; {@code head} moves only
 * under the claim.
 */
public final class HostStream implements Stream {
    private static final int CAPACITY = 1024;

    /** Returned instead of a ticket if the queue is full. */
    private static final long NO_ROOM = -1;

    /**
     * The number of free places for which a thread waits if the queue is full: a wake-up for each place would take
     * longer than a small launch.
     */
    private static final int PLACES = CAPACITY / 4;

    /** The number of turns that a thread stays with a stream that makes progress before it polls other streams. */
    private static final int TURNS = 8;

    private static final VarHandle CLAIM = handle("claimed", boolean.class);
    private static final VarHandle HEAD = handle("head", long.class);
    private static final VarHandle TAIL = handle("tail", long.class);

    private final BackendDevice device;
    private final HostScheduler scheduler;
    private final @Nullable Command[] commands = new Command[CAPACITY];
    private final long[] tickets = new long[CAPACITY];
    private final EndCounter ended = new EndCounter();
    private volatile @Nullable HostCapture capture;
    private boolean closed;

    @SuppressWarnings("unused") // accessed through CLAIM
    private boolean claimed;

    @SuppressWarnings("unused") // accessed through HEAD
    private long head;

    @SuppressWarnings("unused") // accessed through TAIL
    private long tail;

    private static VarHandle handle(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(HostStream.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A stream of a device whose work the scheduler carries out. */
    public HostStream(BackendDevice device, HostScheduler scheduler) {
        this.device = device;
        this.scheduler = scheduler;
        scheduler.add(this);
    }

    /**
     * Casts a stream to a stream of this backend.
     *
     * @throws InvalidArgumentException if it belongs to another backend
     */
    public static HostStream of(Stream stream) {
        Objects.requireNonNull(stream, "stream");
        if (stream instanceof HostStream host) {
            return host;
        }
        throw InvalidArgumentException.of(
                "stream", stream.getClass().getName(), "a stream created by a device of the host backend");
    }

    @Override
    public Device device() {
        return device;
    }

    /**
     * Enqueues a command; waits while the queue is full. Not on a stream that is being captured.
     *
     * @param tickets supplies the command's ticket when the command takes its place in the queue
     * @param callerJoins whether the calling thread is about to wait for the command, so that no other thread needs to
     *     be woken
     * @return the command's ticket
     */
    public long enqueue(Command command, LongSupplier tickets, boolean callerJoins) {
        long ticket = tryEnqueue(command, tickets);
        if (ticket == NO_ROOM) {
            ticket = enqueueWhenThereIsRoom(command, tickets);
        }
        if (!callerJoins) {
            scheduler.enqueued();
        }
        return ticket;
    }

    /**
     * Waits for a free place and enqueues. An interrupt does not end the wait: an interrupted thread could not wait, so
     * this method clears the interrupt, and sets it again at the end.
     */
    private long enqueueWhenThereIsRoom(Command command, LongSupplier tickets) {
        boolean interrupted = false;
        try {
            long ticket;
            do {
                interrupted |= Thread.interrupted();
                scheduler.await(ended, (long) TAIL.getAcquire(this) - CAPACITY + PLACES, this, 1_000_000_000L);
                ticket = tryEnqueue(command, tickets);
            } while (ticket == NO_ROOM);
            return ticket;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Enqueues a command that ignores its ticket; see {@link #enqueue(Command, LongSupplier, boolean)}. */
    public void enqueue(Command command) {
        long _ = enqueue(command, () -> 0, false);
    }

    private synchronized long tryEnqueue(Command command, LongSupplier tickets) {
        requireOpen();
        long position = (long) TAIL.get(this);
        if (position - (long) HEAD.getAcquire(this) >= CAPACITY) {
            return NO_ROOM;
        }
        int slot = (int) position & (CAPACITY - 1);
        long ticket = tickets.getAsLong();
        commands[slot] = command;
        this.tickets[slot] = ticket;
        scheduler.enqueues();
        TAIL.setRelease(this, position + 1);
        return ticket;
    }

    /**
     * Carries out the work that can be done now; called by threads that have a worker slot. Returns the amount of work
     * done.
     */
    int advance(int worker) {
        int total = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            long position = (long) HEAD.getAcquire(this);
            if (position == (long) TAIL.getAcquire(this)) {
                break;
            }
            int work = 0;
            Command front = commands[(int) position & (CAPACITY - 1)];
            if (front != null) { // null if another thread has just ended it
                work = front.assist(worker);
                if (front.wantsControl() && CLAIM.compareAndSet(this, false, true)) {
                    try {
                        work += control();
                    } finally {
                        CLAIM.setRelease(this, false);
                    }
                }
            }
            if (work == 0) {
                break;
            }
            total += work;
        }
        return total;
    }

    private int control() {
        int work = 0;
        long position = (long) HEAD.get(this);
        while (position < (long) TAIL.getAcquire(this)) {
            int slot = (int) position & (CAPACITY - 1);
            Command front = commands[slot];
            if (front == null || !front.control(tickets[slot])) {
                break;
            }
            commands[slot] = null;
            position++;
            HEAD.setRelease(this, position);
            ended.set(position);
            scheduler.ended();
            work++;
        }
        return work;
    }

    @Override
    public void copy(DeviceBuffer source, DeviceBuffer destination) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
        if (source.byteSize() != destination.byteSize()) {
            throw InvalidArgumentException.of(
                    "destination of a copy",
                    destination.byteSize() + " bytes",
                    source.byteSize() + " bytes, like the source");
        }
        HostCapture active = capture;
        if (active != null) {
            active.add(this, source, destination);
            return;
        }
        CopyCommand copy = new CopyCommand(device, source, destination);
        try {
            enqueue(copy);
        } catch (RuntimeException e) {
            copy.release();
            throw e;
        }
    }

    @Override
    public void record(Event event) {
        HostEvent host = HostEvent.of(event);
        HostCapture active = capture;
        if (active != null) {
            host.recorded(active.mark(this));
            return;
        }
        HostEvent.Recording recording = new HostEvent.Recording();
        enqueue(recording);
        host.recorded(recording);
    }

    @Override
    public void await(Event event) {
        HostEvent host = HostEvent.of(event);
        HostCapture active = capture;
        switch (host.latest()) {
            case CaptureMark mark -> {
                if (active == null) {
                    mark.capture().joinAfter(this, mark);
                } else {
                    active.await(this, mark);
                }
            }
            case HostEvent.Recording recording -> {
                if (active == null) {
                    enqueue(recording.waiting());
                } else if (host.isRecorded()) {
                    throw new InvalidArgumentException("the event was recorded before the capture of this stream began,"
                            + " so no replay could wait for it; await it before the capture, or on the"
                            + " stream that launches the graph");
                }
            }
        }
    }

    @Override
    public Graph capture(Runnable work) {
        Objects.requireNonNull(work, "work");
        return HostCapture.of(this, device, work);
    }

    @Override
    public boolean isCapturing() {
        return capture != null;
    }

    /** Captures a launch, on a stream that is being captured. */
    public void capture(CapturedHostLaunch launch) {
        capturing().add(this, launch);
    }

    /**
     * Orders work that is captured from now on after the launches of a communicator in this capture; on a stream that
     * is being captured.
     */
    public void awaitCaptured(LaunchOrder order) {
        capturing().awaitLaunches(this, order);
    }

    private HostCapture capturing() {
        HostCapture active = capture;
        if (active == null) {
            throw new InvalidArgumentException("the capture of this stream has just ended; use a stream in one thread");
        }
        return active;
    }

    /** Begins a capture of work that is enqueued on this stream. */
    synchronized void beginCapture(HostCapture begun) {
        requireOpen();
        requireNotCapturing("captured again");
        capture = begun;
    }

    void endCapture() {
        capture = null;
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("this stream is closed; create another one");
        }
    }

    private void requireNotCapturing(String what) {
        if (capture != null) {
            throw new InvalidArgumentException("this stream is being captured, so it cannot be " + what
                    + " before the capture has ended: nothing that was enqueued meanwhile runs");
        }
    }

    /** Whether everything enqueued so far has ended. */
    public boolean isIdle() {
        return ended.reached((long) TAIL.getAcquire(this));
    }

    @Override
    public void synchronize(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        requireNotCapturing("waited for");
        long target = (long) TAIL.getAcquire(this);
        if (!scheduler.await(ended, target, this, TimeUnit.NANOSECONDS.convert(timeout))) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AbortedException("interrupted while waiting for a stream");
            }
            long position = (long) HEAD.getAcquire(this);
            Command front = commands[(int) position & (CAPACITY - 1)]; // null if it has just ended
            throw Lateness.ofStream(
                    target - ended.count() + " operations of a stream",
                    timeout,
                    front == null ? List.of() : front.orders());
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            requireNotCapturing("closed");
            closed = true;
        }
        boolean interrupted = false;
        while (!scheduler.await(ended, (long) TAIL.getAcquire(this), this, Long.MAX_VALUE)) {
            interrupted |= Thread.interrupted(); // work in flight uses memory that the caller may free next
        }
        scheduler.remove(this);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
