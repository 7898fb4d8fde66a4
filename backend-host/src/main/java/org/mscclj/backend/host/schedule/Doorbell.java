package org.mscclj.backend.host.schedule;

import java.lang.invoke.VarHandle;
import org.mscclj.posix.Futex;
import org.mscclj.posix.NativeMemory;
import org.mscclj.posix.Timespec;

/**
 * Two words of shared memory by which ranks of other processes wake the sleeping threads of this one, or the other way
 * round.
 *
 * <p>No wake-up is lost. A thread that wants to sleep raises {@code sleepers}, a full fence, reads {@code sequence},
 * and then looks a last time for work; it sleeps only while the sequence is unchanged. A thread that has changed memory
 * makes a full fence and reads {@code sleepers}; if there are any it raises the sequence and wakes them. Either the
 * sleeper sees the change, or the other one sees the sleeper, whose sleep then ends because of the raised sequence,
 * also if it has not quite begun.
 */
public final class Doorbell {
    /** Bytes that a doorbell takes; two lines, because ringers read the first one only. */
    public static final long BYTES = 256;

    /** How long sleeps last at most, in nanoseconds: twice as long for each step. */
    private static final long SHORTEST_NANOS = 20_000;

    private static final Timespec[] DURATIONS = new Timespec[7];
    private static final long SLEEPERS = 0;
    private static final long SEQUENCE = 128;

    static {
        for (int i = 0; i < DURATIONS.length; i++) {
            DURATIONS[i] = new Timespec(SHORTEST_NANOS << i);
        }
    }

    private final long address;

    /** The doorbell at an address, a multiple of 128, in zeroed memory that outlives it. */
    public Doorbell(long address) {
        this.address = address;
    }

    /** Wakes who sleeps, if anybody does. After a change of memory and a full fence. */
    void ring() {
        if (NativeMemory.getIntAcquire(address + SLEEPERS) != 0) {
            NativeMemory.getAndAddInt(address + SEQUENCE, 1);
            Futex.wake(address + SEQUENCE, Futex.ALL_WAITERS);
        }
    }

    /** Announces a sleep; returns the sequence for {@link #sleep}. To be undone by {@link #leave}. */
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
     * Sleeps until the doorbell has been rung since it was announced, or a time has passed.
     *
     * @param step how long at most: 20 µs, doubled as many times, up to a millisecond or so
     */
    void sleep(int sequence, int step) {
        Futex.await(address + SEQUENCE, sequence, DURATIONS[Math.min(step, DURATIONS.length - 1)].address());
    }
}
