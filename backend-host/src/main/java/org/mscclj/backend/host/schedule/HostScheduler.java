package org.mscclj.backend.host.schedule;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.support.stream.EndCounter;

/**
 * Carries out the work of all streams of this process, with one thread per core.
 *
 * <p>A thread works only while it has a <em>slot</em>. Workers take slots while there is work; so do threads that wait
 * for a result, which work on their own stream first. A thread that finds no work for a while returns its slot and
 * sleeps, so that many ranks on few cores do not spin against each other.
 *
 * <p>No work is lost. A thread raises {@code pending} before a command is visible in its stream, so that
 * {@code pending} is never less than the number of commands. It raises {@code pending} before it checks for a sleeping
 * worker. A worker announces its sleep before it reads {@code pending} a last time. All of these accesses are volatile.
 *
 * <p>Workers sleep with a limit while there is blocked work, because threads outside this class may unblock it. If
 * these threads are in other processes, a thread that leaves blocked work sleeps on a {@link Doorbell}, which the other
 * processes ring.
 */
public final class HostScheduler implements AutoCloseable {
    /** The longest time that a thread whose wait has ended continues to work until a worker is awake. */
    private static final long RELIEF_NANOS = 200_000;

    /** The result of {@link #lastPoll} if there are no other processes. */
    static final long WITHOUT_DOORBELL = -1;

    private static final long STAY_AWAKE = -2;
    private static final int NOT_AT_ALL = -1;

    private final WorkerSlots slots;
    private final AtomicLong pending = new AtomicLong();
    private final Worker[] workers;
    private final Idling idling;
    private final Optional<Doorbell> doorbell;
    private final PeerDoorbells peers = new PeerDoorbells();
    private volatile HostStream[] streams = {};
    private volatile boolean closed;

    /**
     * A scheduler.
     *
     * @param threads number of threads that work at once, at most 64
     * @param doorbell the doorbell that other processes that share memory with this one ring; empty if there are none
     */
    public HostScheduler(int threads, Optional<Doorbell> doorbell) {
        this.doorbell = doorbell;
        this.slots = new WorkerSlots(Math.min(threads, WorkerSlots.MAX));
        this.idling = new Idling(doorbell.isPresent());
        this.workers = new Worker[slots.count()];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(i, this, slots, idling);
        }
        for (Worker worker : workers) {
            worker.start();
        }
    }

    /** Number of threads that work at once. */
    public int slots() {
        return slots.count();
    }

    synchronized void add(HostStream stream) {
        HostStream[] more = Arrays.copyOf(streams, streams.length + 1);
        more[streams.length] = stream;
        streams = more;
        adaptIdling();
    }

    synchronized void remove(HostStream stream) {
        List<HostStream> fewer = new ArrayList<>(List.of(streams));
        fewer.remove(stream);
        streams = fewer.toArray(HostStream[]::new);
        adaptIdling();
    }

    /** Adds a process that {@link #ringPeers} rings from now on. Its doorbell must outlive this scheduler. */
    public synchronized void addPeer(Doorbell peer) {
        peers.add(peer);
        adaptIdling();
    }

    /** Undoes {@link #addPeer}. A thread may ring it once more. */
    public synchronized void removePeer(Doorbell peer) {
        peers.remove(peer);
        adaptIdling();
    }

    /** Number of other processes that are rung. */
    public int peers() {
        return peers.count();
    }

    private void adaptIdling() {
        idling.adapt(streams.length, peers.count(), slots.count());
    }

    /** Wakes sleeping threads of other processes, after a change of shared memory. Cheap if there are none. */
    public void ringPeers() {
        peers.ring();
    }

    /** Counts a command that is about to become visible in its stream, where any thread may carry it out at once. */
    void enqueues() {
        pending.incrementAndGet();
    }

    /** Wakes sleeping threads for a command that is visible now, and that the enqueueing thread does not join. */
    void enqueued() {
        VarHandle.fullFence(); // see Doorbell
        wake();
    }

    /** Number of commands in streams that have not ended. */
    long pending() {
        return pending.get();
    }

    boolean isClosed() {
        return closed;
    }

    void ended() {
        pending.decrementAndGet();
        ringOwn();
    }

    /**
     * Wakes threads of this process that sleep on the doorbell. Called after a volatile read-modify-write, which is a
     * full fence.
     */
    private void ringOwn() {
        if (doorbell.isPresent()) {
            doorbell.get().ring();
        }
    }

    /** Wakes sleeping threads for work that may have become unblocked. Cheap if no thread sleeps. */
    public void wake() {
        if (slots.taken() < slots.count()) {
            wakeWorker();
            ringOwn();
        }
    }

    private void wakeWorker() {
        for (Worker worker : workers) {
            if (worker.wake()) {
                return;
            }
        }
    }

    /**
     * Blocks until a count has reached a number; the calling thread works meanwhile, if it gets a slot.
     *
     * @param own the stream to work on first
     * @return false if {@code nanos} passed first, or the thread was interrupted
     */
    public boolean await(EndCounter counter, long number, HostStream own, long nanos) {
        if (counter.reached(number) || workOnce(counter, number, own)) {
            return true;
        }
        long start = System.nanoTime();
        int naps = 0;
        while (!counter.reached(number)) {
            long rest = WITHOUT_DOORBELL;
            int slot = idling.takesSlot(naps) ? slots.enter() : WorkerSlots.NONE;
            if (slot >= 0) {
                try {
                    if (workUntil(counter, number, own, slot, start, nanos)) {
                        awaitRelief(slot);
                        return true;
                    }
                    rest = lastPoll(slot);
                } finally {
                    slots.leave(slot);
                }
            }
            long left = nanos - (System.nanoTime() - start);
            boolean over = left <= 0 || Thread.currentThread().isInterrupted();
            if (rest >= 0) {
                sleepOnDoorbell(rest, over || counter.reached(number) ? NOT_AT_ALL : naps++);
            }
            if (over) {
                boolean reached = counter.reached(number);
                if (!reached) {
                    wake();
                }
                return reached;
            }
            if (rest == WITHOUT_DOORBELL) {
                counter.park(number, Math.min(left, slot >= 0 ? Idling.nap(naps++) : idling.napWithoutSlot()));
            }
        }
        return true;
    }

    /**
     * Announces to other processes that a thread is about to sleep, and checks for work a last time. Called with a
     * slot, before sleeping.
     *
     * @return the sequence for {@link #sleepOnDoorbell}; {@link #STAY_AWAKE} if there was work;
     *     {@link #WITHOUT_DOORBELL} if there are no other processes
     */
    long lastPoll(int slot) {
        if (doorbell.isEmpty()) {
            return WITHOUT_DOORBELL;
        }
        int sequence = doorbell.get().announce();
        if (sweep(slot) > 0) {
            doorbell.get().leave();
            return STAY_AWAKE;
        }
        return Integer.toUnsignedLong(sequence);
    }

    /**
     * Sleeps until a peer rings, or a time has passed that grows with the number of earlier naps.
     *
     * @param rest what {@link #lastPoll} has returned, at least 0
     */
    void sleepOnDoorbell(long rest, int naps) {
        Doorbell bell = doorbell.orElseThrow();
        if (naps != NOT_AT_ALL) {
            bell.sleep((int) rest, naps);
        }
        bell.leave();
    }

    /** The fast path: does the work that can be done at once, without reading the clock. */
    private boolean workOnce(EndCounter counter, long number, HostStream own) {
        int slot = slots.enter();
        if (slot < 0) {
            return false;
        }
        try {
            own.advance(slot);
            boolean reached = counter.reached(number);
            if (reached) {
                awaitRelief(slot);
            }
            return reached;
        } finally {
            slots.leave(slot);
        }
    }

    /** Works until the count is reached, no work has advanced for a while, or the time has passed. */
    private boolean workUntil(EndCounter counter, long number, HostStream own, int slot, long start, long nanos) {
        int idle = 0;
        long since = 0;
        while (true) {
            int work = own.advance(slot);
            if (counter.reached(number)) {
                return true;
            }
            if (work == 0) {
                work = sweep(slot);
            }
            if (counter.reached(number)) {
                return true;
            }
            if (work > 0) {
                idle = 0;
            } else {
                since = idling.pause(++idle, since);
                if (since == Idling.TIME_TO_SLEEP) {
                    return false;
                }
            }
            if ((idle & 15) == 0 && System.nanoTime() - start >= nanos) {
                return false;
            }
        }
    }

    /** Polls every stream once; returns the amount of work done. */
    int sweep(int worker) {
        HostStream[] all = streams;
        int work = 0;
        int first = all.length * worker / slots.count();
        for (int i = 0; i < all.length; i++) {
            int index = first + i;
            work += all[index < all.length ? index : index - all.length].advance(worker);
        }
        return work;
    }

    /**
     * Continues to work if there is more work than threads with a slot, until a worker has woken up to take over: a
     * wake-up takes longer than many launches, and a core should not idle meanwhile.
     */
    private void awaitRelief(int slot) {
        if (pending.get() < slots.taken()) {
            return;
        }
        slots.startLeaving();
        try {
            wakeWorker();
            long start = System.nanoTime();
            while (!slots.isRelieved() && pending.get() >= slots.taken() && System.nanoTime() - start < RELIEF_NANOS) {
                if (sweep(slot) == 0) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            slots.stopLeaving();
        }
    }

    /** Stops the workers, and waits until they have stopped. Streams must be idle. Idempotent. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        for (Worker worker : workers) {
            LockSupport.unpark(worker);
            while (worker.isAlive()) {
                try {
                    worker.join();
                } catch (InterruptedException e) {
                    interrupted = true; // they stop soon
                }
            }
        }
        peers.clear(); // later wake-ups must not access them
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
