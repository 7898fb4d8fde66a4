package org.mscclj.backend.host.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Carries out the work of all streams of this process by as many threads as there are cores.
 *
 * <p>Only a thread that has a <em>seat</em> works. Runners take seats while there is work; so do threads that wait for a result,
 * which then work on their own stream first. A thread that finds nothing to do for a while gives its seat back and sleeps, so
 * that many ranks on few cores do not spin against each other.
 *
 * <p>No work is forgotten: {@code pending} is raised before a sleeping runner is looked for, and a runner announces that it
 * sleeps before it looks at {@code pending} a last time; all of these are volatile. Runners sleep with a limit while there is
 * work that cannot go on, because what it waits for may come from threads that this class does not know.
 */
public final class HostScheduler implements AutoCloseable {
    private static final int SPINS = 200;
    private static final int YIELDS = 60;
    private static final int MOST_SEATS = Long.SIZE;

    /** How long a thread that has what it waited for works on at most, until a runner is awake. */
    private static final long RELIEF_NANOS = 200_000;

    private static final long FIRST_NAP_NANOS = 20_000;
    private static final long LONGEST_NAP_NANOS = 1_000_000;

    private final int seats;

    /** A bit for each seat that is taken, so that workers have different numbers and start at different streams. */
    private final AtomicLong taken = new AtomicLong();

    /** How many threads work on only until a runner relieves them. */
    private final AtomicInteger leaving = new AtomicInteger();

    /** How many runners are awake and wait for a seat. */
    private final AtomicInteger standing = new AtomicInteger();

    private final AtomicLong pending = new AtomicLong();
    private final Runner[] runners;
    private volatile HostStream[] streams = {};
    private volatile boolean closed;

    /** A scheduler with the given number of threads at work at once, 64 at most. */
    public HostScheduler(int threads) {
        this.seats = Math.min(threads, MOST_SEATS);
        this.runners = new Runner[seats];
        for (int i = 0; i < seats; i++) {
            runners[i] = new Runner(i);
            runners[i].start();
        }
    }

    /** How many threads work at once. */
    public int seats() {
        return seats;
    }

    synchronized void add(HostStream stream) {
        HostStream[] more = Arrays.copyOf(streams, streams.length + 1);
        more[streams.length] = stream;
        streams = more;
    }

    synchronized void remove(HostStream stream) {
        List<HostStream> fewer = new ArrayList<>(List.of(streams));
        fewer.remove(stream);
        streams = fewer.toArray(HostStream[]::new);
    }

    void enqueued(boolean callerJoins) {
        pending.incrementAndGet();
        if (!callerJoins) {
            wake();
        }
    }

    void ended() {
        pending.decrementAndGet();
    }

    /** Says that something may go on which a sleeping thread cannot know of. Cheap if none sleeps. */
    public void wake() {
        if (Long.bitCount(taken.get()) < seats) {
            wakeRunner();
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
        long nap = FIRST_NAP_NANOS;
        while (!counter.reached(number)) {
            int seat = enter();
            if (seat >= 0) {
                boolean reached;
                try {
                    reached = workUntil(counter, number, own, seat, start, nanos);
                    if (reached) {
                        awaitRelief(seat);
                    }
                } finally {
                    leave(seat);
                }
                if (reached) {
                    return true;
                }
            }
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                boolean reached = counter.reached(number);
                if (!reached) {
                    wake();
                }
                return reached;
            }
            counter.park(number, Math.min(left, seat >= 0 ? nap : LONGEST_NAP_NANOS));
            nap = Math.min(2 * nap, LONGEST_NAP_NANOS);
        }
        return true;
    }

    /** The short way: what can be done at once, without looking at the time. */
    private boolean workOnce(EndCounter counter, long number, HostStream own) {
        int seat = enter();
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
            leave(seat);
        }
    }

    /** Works until the count is reached, nothing has gone on for a while, or the time has passed. */
    private boolean workUntil(EndCounter counter, long number, HostStream own, int seat, long start, long nanos) {
        int idle = 0;
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
            } else if (!pause(++idle)) {
                return false;
            }
            if ((idle & 15) == 0 && System.nanoTime() - start >= nanos) {
                return false;
            }
        }
    }

    /** One look at every stream; returns how much was done. */
    private int sweep(int worker) {
        HostStream[] all = streams;
        int work = 0;
        int first = all.length * worker / seats;
        for (int i = 0; i < all.length; i++) {
            int index = first + i;
            work += all[index < all.length ? index : index - all.length].advance(worker);
        }
        return work;
    }

    /** Waits a little; false if it is time to sleep. */
    private static boolean pause(int idle) {
        if (idle < SPINS) {
            Thread.onSpinWait();
            return true;
        }
        if (idle < SPINS + YIELDS) {
            Thread.yield();
            return true;
        }
        return false;
    }

    /** Takes a seat: its number; −1 if none is free. */
    private int enter() {
        while (true) {
            long now = taken.get();
            int seat = Long.numberOfTrailingZeros(~now);
            if (seat >= seats) {
                return -1;
            }
            if (taken.compareAndSet(now, now | 1L << seat)) {
                return seat;
            }
        }
    }

    /** Gives a seat back. */
    private void leave(int seat) {
        taken.getAndAdd(-(1L << seat));
    }

    /**
     * Works on where there is more work than others are seated for, until a runner has woken up to take over: waking takes longer than
     * many launches, and a core should not rest meanwhile.
     */
    private void awaitRelief(int seat) {
        if (pending.get() < Long.bitCount(taken.get())) {
            return;
        }
        leaving.incrementAndGet();
        try {
            wakeRunner();
            long start = System.nanoTime();
            while (standing.get() == 0
                    && pending.get() >= Long.bitCount(taken.get())
                    && System.nanoTime() - start < RELIEF_NANOS) {
                if (sweep(seat) == 0) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            leaving.decrementAndGet();
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Runner runner : runners) {
            LockSupport.unpark(runner);
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
            long nap = FIRST_NAP_NANOS;
            while (!closed) {
                int seat = pending.get() > 0 ? enterOrRelieve() : -1;
                if (seat >= 0) {
                    boolean worked = false;
                    try {
                        worked = workWhilePending(seat);
                    } finally {
                        leave(seat);
                    }
                    nap = worked ? FIRST_NAP_NANOS : Math.min(2 * nap, LONGEST_NAP_NANOS);
                }
                asleep.set(1);
                if (pending.get() == 0) {
                    LockSupport.park(this);
                } else if (!closed) {
                    LockSupport.parkNanos(this, nap);
                }
                asleep.set(0);
            }
        }

        /** Takes a seat, waiting a moment for one if somebody is about to leave. */
        private int enterOrRelieve() {
            int seat = enter();
            if (seat < 0 && leaving.get() > 0) {
                standing.incrementAndGet();
                for (int i = 0; i < SPINS && seat < 0; i++) {
                    Thread.onSpinWait();
                    seat = enter();
                }
                standing.decrementAndGet();
            }
            return seat;
        }

        private boolean workWhilePending(int seat) {
            boolean worked = false;
            int idle = 0;
            while (!closed && pause(idle)) {
                if (sweep(seat) > 0) {
                    worked = true;
                    idle = 0;
                } else {
                    idle++;
                }
                if (pending.get() == 0 && idle > SPINS / 2) {
                    break;
                }
            }
            return worked;
        }
    }
}
