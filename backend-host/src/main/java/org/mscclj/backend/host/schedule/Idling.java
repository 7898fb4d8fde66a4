package org.mscclj.backend.host.schedule;

/**
 * The strategy of threads that find no work: they spin, then yield, then sleep for longer and longer naps, so that many
 * ranks on few cores do not spin against each other.
 */
final class Idling {
    /** Returned by {@link #pause} if the thread should sleep now. */
    static final long TIME_TO_SLEEP = Long.MIN_VALUE;

    /**
     * The number of polls of a stream for which a thread spins before it yields: the awaited work may need its core.
     */
    private static final int MAX_SPINS = 256;

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

    private static final long FIRST_NAP_NANOS = 20_000;
    private static final long MAX_NAP_NANOS = 1_000_000;
    private static final int MAX_DOUBLINGS = 10;

    /**
     * The number of naps of a waiting thread before it takes no more slots, where all ranks are threads. With many
     * ranks, such threads would only take the slots of each other and of the workers, which can do the work too.
     */
    private static final int NAPS_WITH_A_SLOT = 8;

    /**
     * The sleep of a thread without a slot, where all ranks are threads. The count that it waits for wakes it earlier.
     */
    private static final long NAP_WITHOUT_SLOT_NANOS = 20_000_000;

    /** Whether other processes ring a doorbell of this one. */
    private final boolean sharesMemory;

    /** Number of consecutive polls of all streams before a thread yields. */
    private volatile int spins = MAX_SPINS;

    Idling(boolean sharesMemory) {
        this.sharesMemory = sharesMemory;
    }

    /** Adapts the spins to the load; called when one of the numbers has changed. */
    void adapt(int streams, int peerProcesses, int slots) {
        spins = peerProcesses < slots ? Math.max(1, MAX_SPINS / Math.max(1, streams)) : SPINS_WITHOUT_CORES;
    }

    /**
     * Pauses after a poll that found no work.
     *
     * @param idle number of consecutive polls without work, from 1
     * @param since the result of the last call
     * @return the time since which the thread has had no work; {@link #TIME_TO_SLEEP} if it should sleep now
     */
    long pause(int idle, long since) {
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
        if (sharesMemory ? now - since > YIELD_NANOS : idle > most + YIELDS) {
            return TIME_TO_SLEEP;
        }
        Thread.yield();
        return since;
    }

    /** Whether a worker without pending commands has spun long enough for new ones. */
    boolean hasSpunForCommands(int idle) {
        return idle > spins / 2;
    }

    /** Whether a waiting thread takes a slot again after some naps. */
    boolean takesSlot(int naps) {
        return sharesMemory || naps < NAPS_WITH_A_SLOT;
    }

    /** The duration of a nap after some earlier ones, in nanoseconds. */
    static long nap(int naps) {
        return Math.min(FIRST_NAP_NANOS << Math.min(naps, MAX_DOUBLINGS), MAX_NAP_NANOS);
    }

    /** The longest sleep of a waiting thread that got no slot, in nanoseconds. */
    long napWithoutSlot() {
        return sharesMemory ? MAX_NAP_NANOS : NAP_WITHOUT_SLOT_NANOS;
    }
}
