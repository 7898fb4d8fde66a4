package org.mscclj.backend.host.schedule;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Carries out the work of all streams of this process, with one thread per core.
 *
 * <p>A thread works only while it has a <em>seat</em>. Runners take seats while there is work; so do threads that wait
 * for a result, which work on their own stream first. A thread that finds no work for a while returns its seat and
 * sleeps, so that many ranks on few cores do not spin against each other.
 *
 * <p>No work is lost. A thread raises {@code pending} before a command is visible in its stream, so that
 * {@code pending} is never less than the number of commands. It raises {@code pending} before it checks for a sleeping
 * runner. A runner announces its sleep before it reads {@code pending} a last time. All of these accesses are volatile.
 *
 * <p>Runners sleep with a limit while there is blocked work, because threads outside this class may unblock it. If
 * these threads are in other processes, a thread that leaves blocked work sleeps on a {@link Doorbell}, which the other
 * processes ring.
 */
public final class HostScheduler implements AutoCloseable {
    /**
     * The number of polls of a stream for which a thread spins before it yields: the awaited work may need its core.
     */
    private static final int LOOKS = 256;

    /** The number of times that a runner tries to take the seat of a thread that is about to leave. */
    private static final int SPINS_FOR_A_SEAT = 200;

    /** The spins where processes outnumber cores: the awaited process may need this core. */
    private static final int SPINS_WITHOUT_CORES = 1;

    /**
     * The number of times that a thread yields before it sleeps where all ranks are threads, many of which may wait for
     * its core.
     */
    private static final int YIELDS = 60;

    /**
     * The duration for which it yields where ranks are processes. It is longer than a wake-up of a thread; otherwise
     * two ranks that wait for each other would sleep in turns for ever, each while the other wakes up.
     */
    private static final long YIELD_NANOS = 250_000;

    private static final long TIME_TO_SLEEP = Long.MIN_VALUE;

    /** The longest time that a thread whose wait has ended continues to work until a runner is awake. */
    private static final long RELIEF_NANOS = 200_000;

    private static final long FIRST_NAP_NANOS = 20_000;
    private static final long LONGEST_NAP_NANOS = 1_000_000;
    private static final int MOST_DOUBLINGS = 10;

    /**
     * The number of naps of a waiting thread before it takes no more seats, where all ranks are threads. With many
     * ranks, such threads would only take the seats of each other and of the runners, which can do the work too.
     */
    private static final int NAPS_WITH_A_SEAT = 8;

    /**
     * The sleep of a thread without a seat, where all ranks are threads. The count that it waits for wakes it earlier.
     */
    private static final long NAP_WITHOUT_SEAT_NANOS = 20_000_000;

    private static final int NOT_AT_ALL = -1;
    private static final int NO_SEAT = -1;
    private static final long WITHOUT_DOORBELL = -1;
    private static final long STAY_AWAKE = -2;

    private final WorkerSlots seats;

    /** Number of threads that work only until a runner relieves them. */
    private final AtomicInteger leaving = new AtomicInteger();

    /** Number of runners that are awake and wait for a seat. */
    private final AtomicInteger standing = new AtomicInteger();

    private final AtomicLong pending = new AtomicLong();
    private final Runner[] runners;
    private final Optional<Doorbell> doorbell;
    private final PeerDoorbells peers = new PeerDoorbells();
    private volatile HostStream[] streams = {};

    /** Number of consecutive polls of all streams before a thread yields. */
    private volatile int spins = LOOKS;

    private volatile boolean closed;

    /**
     * A scheduler.
     *
     * @param threads number of threads that work at once, at most 64
     * @param doorbell the doorbell that other processes that share memory with this one ring; empty if there are none
     */
    public HostScheduler(int threads, Optional<Doorbell> doorbell) {
        this.doorbell = doorbell;
        this.seats = new WorkerSlots(Math.min(threads, WorkerSlots.MOST));
        this.runners = new Runner[seats.count()];
        for (int i = 0; i < runners.length; i++) {
            runners[i] = new Runner(i);
            runners[i].start();
        }
    }

    /** Number of threads that work at once. */
    public int seats() {
        return seats.count();
    }

    synchronized void add(HostStream stream) {
        HostStream[] more = Arrays.copyOf(streams, streams.length + 1);
        more[streams.length] = stream;
        streams = more;
        chooseSpins();
    }

    synchronized void remove(HostStream stream) {
        List<HostStream> fewer = new ArrayList<>(List.of(streams));
        fewer.remove(stream);
        streams = fewer.toArray(HostStream[]::new);
        chooseSpins();
    }

    /** Adds a process that {@link #ringPeers} rings from now on. Its doorbell must outlive this scheduler. */
    public synchronized void addPeer(Doorbell peer) {
        peers.add(peer);
        chooseSpins();
    }

    /** Undoes {@link #addPeer}. A thread may ring it once more. */
    public synchronized void removePeer(Doorbell peer) {
        peers.remove(peer);
        chooseSpins();
    }

    /** Number of other processes that are rung. */
    public int peers() {
        return peers.count();
    }

    private void chooseSpins() {
        spins = peers.count() < seats.count() ? Math.max(1, LOOKS / Math.max(1, streams.length)) : SPINS_WITHOUT_CORES;
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
        if (seats.taken() < seats.count()) {
            wakeRunner();
            ringOwn();
        }
    }

    private void wakeRunner() {
        for (Runner runner : runners) {
            if (runner.wake()) {
                return;
            }
        }
    }

    /**
     * Blocks until a count has reached a number; the calling thread works meanwhile, if it gets a seat.
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
            int seat = doorbell.isPresent() || naps < NAPS_WITH_A_SEAT ? seats.enter() : NO_SEAT;
            if (seat >= 0) {
                try {
                    if (workUntil(counter, number, own, seat, start, nanos)) {
                        awaitRelief(seat);
                        return true;
                    }
                    rest = lastLook(seat);
                } finally {
                    seats.leave(seat);
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
                counter.park(number, Math.min(left, seat >= 0 ? nap(naps++) : napWithoutSeat()));
            }
        }
        return true;
    }

    private long napWithoutSeat() {
        return doorbell.isPresent() ? LONGEST_NAP_NANOS : NAP_WITHOUT_SEAT_NANOS;
    }

    private static long nap(int naps) {
        return Math.min(FIRST_NAP_NANOS << Math.min(naps, MOST_DOUBLINGS), LONGEST_NAP_NANOS);
    }

    /**
     * Announces to other processes that a thread is about to sleep, and checks for work a last time. Called with a
     * seat, before sleeping.
     *
     * @return the sequence for {@link #sleepOnDoorbell}; {@link #STAY_AWAKE} if there was work;
     *     {@link #WITHOUT_DOORBELL} if there are no other processes
     */
    private long lastLook(int seat) {
        if (doorbell.isEmpty()) {
            return WITHOUT_DOORBELL;
        }
        int sequence = doorbell.get().announce();
        if (sweep(seat) > 0) {
            doorbell.get().leave();
            return STAY_AWAKE;
        }
        return Integer.toUnsignedLong(sequence);
    }

    private void sleepOnDoorbell(long rest, int naps) {
        Doorbell bell = doorbell.orElseThrow();
        if (naps != NOT_AT_ALL) {
            bell.sleep((int) rest, naps);
        }
        bell.leave();
    }

    /** The fast path: does the work that can be done at once, without reading the clock. */
    private boolean workOnce(EndCounter counter, long number, HostStream own) {
        int seat = seats.enter();
        if (seat < 0) {
            return false;
        }
        try {
            own.advance(seat);
            boolean reached = counter.reached(number);
            if (reached) {
                awaitRelief(seat);
            }
            return reached;
        } finally {
            seats.leave(seat);
        }
    }

    /** Works until the count is reached, no work has advanced for a while, or the time has passed. */
    private boolean workUntil(EndCounter counter, long number, HostStream own, int seat, long start, long nanos) {
        int idle = 0;
        long since = 0;
        while (true) {
            int work = own.advance(seat);
            if (counter.reached(number)) {
                return true;
            }
            if (work == 0) {
                work = sweep(seat);
            }
            if (counter.reached(number)) {
                return true;
            }
            if (work > 0) {
                idle = 0;
            } else {
                since = pause(++idle, since);
                if (since == TIME_TO_SLEEP) {
                    return false;
                }
            }
            if ((idle & 15) == 0 && System.nanoTime() - start >= nanos) {
                return false;
            }
        }
    }

    /** Polls every stream once; returns the amount of work done. */
    private int sweep(int worker) {
        HostStream[] all = streams;
        int work = 0;
        int first = all.length * worker / seats.count();
        for (int i = 0; i < all.length; i++) {
            int index = first + i;
            work += all[index < all.length ? index : index - all.length].advance(worker);
        }
        return work;
    }

    /**
     * Pauses after a poll that found no work.
     *
     * @param idle number of consecutive polls without work, from 1
     * @param since the result of the last call
     * @return the time since which the thread has had no work; {@link #TIME_TO_SLEEP} if it should sleep now
     */
    private long pause(int idle, long since) {
        int most = spins;
        if (idle < most) {
            Thread.onSpinWait();
            return 0;
        }
        long now = System.nanoTime();
        if (idle == most) {
            Thread.yield();
            return now;
        }
        if (doorbell.isPresent() ? now - since > YIELD_NANOS : idle > most + YIELDS) {
            return TIME_TO_SLEEP;
        }
        Thread.yield();
        return since;
    }

    /**
     * Continues to work if there is more work than seated threads, until a runner has woken up to take over: a wake-up
     * takes longer than many launches, and a core should not idle meanwhile.
     */
    private void awaitRelief(int seat) {
        if (pending.get() < seats.taken()) {
            return;
        }
        leaving.incrementAndGet();
        try {
            wakeRunner();
            long start = System.nanoTime();
            while (standing.get() == 0 && pending.get() >= seats.taken() && System.nanoTime() - start < RELIEF_NANOS) {
                if (sweep(seat) == 0) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            leaving.decrementAndGet();
        }
    }

    /** Stops the runners, and waits until they have stopped. Streams must be idle. Idempotent. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        for (Runner runner : runners) {
            LockSupport.unpark(runner);
            while (runner.isAlive()) {
                try {
                    runner.join();
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

    /** A thread that works while there is work. */
    private final class Runner extends Thread {
        private final AtomicInteger asleep = new AtomicInteger();

        Runner(int index) {
            super("mscclj-host-runner-" + index);
            setDaemon(true);
        }

        boolean wake() {
            if (asleep.get() == 1 && asleep.compareAndSet(1, 0)) {
                LockSupport.unpark(this);
                return true;
            }
            return false;
        }

        @Override
        public void run() {
            int naps = 0;
            while (!closed) {
                long rest = WITHOUT_DOORBELL;
                int seat = pending.get() > 0 ? enterOrRelieve() : -1;
                if (seat >= 0) {
                    try {
                        naps = workWhilePending(seat) ? 0 : naps + 1;
                        rest = pending.get() > 0 ? lastLook(seat) : WITHOUT_DOORBELL;
                    } finally {
                        seats.leave(seat);
                    }
                }
                if (rest >= 0) {
                    sleepOnDoorbell(rest, naps);
                } else if (rest == WITHOUT_DOORBELL) {
                    sleep(naps);
                }
            }
        }

        private void sleep(int naps) {
            asleep.set(1);
            if (pending.get() == 0 && !closed) {
                LockSupport.park(this);
            } else if (!closed) {
                LockSupport.parkNanos(this, nap(naps));
            }
            asleep.set(0);
        }

        /** Takes a seat; waits briefly for one if a thread is about to leave. */
        private int enterOrRelieve() {
            int seat = seats.enter();
            if (seat < 0 && leaving.get() > 0) {
                standing.incrementAndGet();
                for (int i = 0; i < SPINS_FOR_A_SEAT && seat < 0; i++) {
                    Thread.onSpinWait();
                    seat = seats.enter();
                }
                standing.decrementAndGet();
            }
            return seat;
        }

        private boolean workWhilePending(int seat) {
            boolean worked = false;
            int idle = 0;
            long since = 0;
            while (!closed && since != TIME_TO_SLEEP) {
                if (sweep(seat) > 0) {
                    worked = true;
                    idle = 0;
                } else {
                    since = pause(++idle, since);
                }
                if (pending.get() == 0 && idle > spins / 2) {
                    break;
                }
            }
            return worked;
        }
    }
}
