package org.mscclj.backend.host.schedule;

import java.lang.invoke.VarHandle;
import org.mscclj.posix.Futex;
import org.mscclj.posix.NativeMemory;
import org.mscclj.posix.Timespec;

/**
 * Two words of shared memory by which ranks of other processes wake the sleeping threads of this process, and the
 * reverse.
 *
 * <p>No wake-up is lost. A thread that is about to sleep raises {@code sleepers}, which is a full fence, reads
 * {@code sequence}, and then checks for work a last time; it sleeps only while the sequence is unchanged. A thread that
 * has changed memory executes a full fence and reads {@code sleepers}; if there are sleepers it raises the sequence and
 * wakes them. Either the sleeper sees the change, or the other thread sees the sleeper. In the second case the raised
 * sequence ends the sleep, even if the sleep has not yet begun.
 */
public final class Doorbell {
    /** Size of a doorbell, in bytes; two lines, because ringing threads read only the first one. */
    public static final long BYTES = 256;

    /** The longest sleep of step 0, in nanoseconds; each step doubles it. */
    private static final long MIN_NANOS = 20_000;

    private static final Timespec[] DURATIONS = new Timespec[7];
    private static final long SLEEPERS = 0;
    private static final long SEQUENCE = 128;

    static {
        for (int i = 0; i < DURATIONS.length; i++) {
            DURATIONS[i] = new Timespec(MIN_NANOS << i);
        }
    }

    private final long address;

    /** The doorbell at an address, a multiple of 128, in zeroed memory that outlives it. */
    public Doorbell(long address) {
        this.address = address;
    }

    /** Wakes sleeping threads, if there are any. Called after a change of memory and a full fence. */
    void ring() {
        if (NativeMemory.getIntAcquire(address + SLEEPERS) != 0) {
            NativeMemory.getAndAddInt(address + SEQUENCE, 1);
            Futex.wake(address + SEQUENCE, Futex.ALL_WAITERS);
        }
    }

    /** Announces a sleep; returns the sequence for {@link #sleep}. {@link #leave} undoes it. */
    int announce() {
        NativeMemory.getAndAddInt(address + SLEEPERS, 1);
        VarHandle.fullFence();
        return NativeMemory.getIntAcquire(address + SEQUENCE);
    }

    /** Undoes {@link #announce}. */
    void leave() {
        NativeMemory.getAndAddInt(address + SLEEPERS, -1);
    }

    /**
     * Sleeps until the doorbell has been rung since it was announced, or a limit has passed.
     *
     * @param step sets the limit: 20 µs, doubled {@code step} times, up to about a millisecond
     */
    void sleep(int sequence, int step) {
        Futex.await(address + SEQUENCE, sequence, DURATIONS[Math.min(step, DURATIONS.length - 1)].address());
    }
}
