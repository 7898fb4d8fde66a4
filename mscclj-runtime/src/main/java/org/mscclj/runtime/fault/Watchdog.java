package org.mscclj.runtime.fault;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Watches all open communicators of this process for late launches. One thread checks them periodically. Launching
 * threads do not notify it, so a launch costs nothing more. The thread sleeps while no communicator is open. Safe for
 * use by several threads.
 */
public final class Watchdog {
    /** The watchdog of this process. */
    public static final Watchdog OF_PROCESS = new Watchdog();

    private static final System.Logger LOGGER = System.getLogger(Watchdog.class.getName());

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<WeakReference<CommunicatorWatch>> watches = new ArrayList<>();
    private long additions;
    private boolean started;

    private Watchdog() {}

    /** Watches a communicator from now on, until it is removed or unreachable. */
    public void add(CommunicatorWatch watch) {
        lock.lock();
        try {
            watches.add(new WeakReference<>(watch));
            additions++;
            if (!started) {
                started = true;
                Thread.ofPlatform().daemon().name("mscclj-watchdog").start(this::watch);
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // compares identities of communicators
    void remove(CommunicatorWatch watch) {
        lock.lock();
        try {
            watches.removeIf(known -> known.get() == null || known.get() == watch);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the open communicators of this process. */
    public List<CommunicatorWatch> open() {
        lock.lock();
        try {
            watches.removeIf(known -> known.get() == null);
            return watches.stream()
                    .map(WeakReference::get)
                    .filter(Objects::nonNull)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private void watch() {
        while (true) {
            long seen = additions();
            pause(lookAtAll(), seen);
        }
    }

    private long additions() {
        lock.lock();
        try {
            return additions;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Checks all communicators. Returns the time until the next check is due, in nanoseconds; {@link Long#MAX_VALUE}
     * without a communicator. Keeps no reference to the communicators that it has checked.
     */
    private long lookAtAll() {
        long pause = Long.MAX_VALUE;
        for (CommunicatorWatch watch : open()) {
            try {
                watch.look(System.nanoTime());
            } catch (RuntimeException | Error e) {
                LOGGER.log(Level.WARNING, "cannot watch communicator " + watch.name() + ", rank " + watch.rank(), e);
            }
            pause = Math.min(pause, watch.pauseNanos());
        }
        return pause;
    }

    /** Waits for this many nanoseconds, or until a communicator has been added after {@code seen} others. */
    private void pause(long nanos, long seen) {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && additions == seen) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            LOGGER.log(Level.DEBUG, "the watchdog was interrupted without a reason; it goes on", e);
        } finally {
            lock.unlock();
        }
    }
}
