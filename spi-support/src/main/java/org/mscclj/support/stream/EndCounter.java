package org.mscclj.support.stream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts ended launches or other work, and lets threads wait for a count without allocating. The count only grows.
 *
 * <p>No wake-up is lost: a waiter enters its slot and the number it waits for, announces itself in {@code waiters}, and
 * then reads {@code ended}; the thread that ends a launch writes {@code ended} and then reads {@code waiters}, slots
 * and numbers. All are volatile, so that this thread sees the waiter and its number, or the waiter sees the new value
 * of {@code ended}. Only waiters whose number has been reached are woken: a wake-up costs more than a small launch, and
 * a thread may wait for the last of a thousand. Slots are few, since usually one thread waits for a launch; a thread
 * that finds no slot checks again after a short nap.
 */
public final class EndCounter {
    private static final int SLOTS = 4;
    private static final long NAP_WITHOUT_SLOT_NANOS = 50_000;
    private static final VarHandle WAITERS;

    static {
        try {
            WAITERS = MethodHandles.lookup().findVarHandle(EndCounter.class, "waiters", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AtomicReferenceArray<@Nullable Thread> parked = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLongArray awaited = new AtomicLongArray(SLOTS);
    private volatile long ended;
    private volatile int waiters;

    /** A count of 0. */
    public EndCounter() {}

    /** The count; acquires. */
    public long count() {
        return ended;
    }

    /** Whether the count has reached a number; acquires. */
    public boolean reached(long number) {
        return ended >= number;
    }

    /** Raises the count by one, releasing; one thread at a time. */
    public void increment() {
        set(ended + 1);
    }

    /** Raises the count to a number, releasing; one thread at a time. */
    public void set(long number) {
        ended = number;
        if (waiters > 0) {
            for (int slot = 0; slot < SLOTS; slot++) {
                Thread thread = parked.get(slot);
                if (thread != null && awaited.get(slot) <= number) {
                    LockSupport.unpark(thread);
                }
            }
        }
    }

    /**
     * Blocks until the count has reached a number.
     *
     * @return false if this takes longer than {@code nanos}, or the thread is interrupted, which it stays
     */
    public boolean await(long number, long nanos) {
        long start = System.nanoTime();
        while (ended < number) {
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                return ended >= number;
            }
            park(number, left);
        }
        return true;
    }

    /** Blocks until the count has reached a number, also if the thread is interrupted, which it stays. */
    public void awaitUninterruptibly(long number) {
        boolean interrupted = false;
        while (!await(number, Long.MAX_VALUE)) {
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Blocks until the count has reached a number, the time has passed, or the thread is interrupted; may return
     * spuriously.
     */
    public void park(long number, long nanos) {
        int slot = takeSlot(number);
        int _ = (int) WAITERS.getAndAdd(this, 1);
        try {
            if (ended < number && nanos > 0) {
                LockSupport.parkNanos(this, slot < 0 ? Math.min(nanos, NAP_WITHOUT_SLOT_NANOS) : nanos);
            }
        } finally {
            int _ = (int) WAITERS.getAndAdd(this, -1);
            if (slot >= 0) {
                parked.set(slot, null);
            }
        }
    }

    private int takeSlot(long number) {
        Thread current = Thread.currentThread();
        for (int slot = 0; slot < SLOTS; slot++) {
            if (parked.get(slot) == null && parked.compareAndSet(slot, null, current)) {
                awaited.set(slot, number);
                return slot;
            }
        }
        return -1;
    }
}
