package org.mscclj.device.kernels.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The structure of this name of the device library, in memory of the host, from where launches copy it. Belongs to one
 * thread at a time.
 */
public final class LaunchHeader {
    /**
     * A {@linkplain #number number} for launches that are replayed: blocks write twice the number of their launches
     * when they begin, and one more when they end.
     */
    public static final long REPLAY = -1;

    /** Its size, in bytes. */
    public static final int BYTES = 128;

    private static final int BLOCKS = 0;
    private static final int ABORT_WORD = 8;
    private static final int COUNTERS = 16;
    private static final int FINISHED = 24;
    private static final int NUMBER = 32;
    private static final int ROUND_SHIFT = 40;
    private static final int TABLE = 48;
    private static final int MEETING = 56;
    private static final int SCRATCH = 64;
    private static final int SCRATCH_BYTES = 72;
    private static final int PEERS = 80;
    private static final int RUNNING = 88;
    private static final int BLOCK_COUNT = 96;
    private static final int MEETS = 100;
    private static final int SEMAPHORES = 104;
    private static final int LEAVERS = 112;
    private static final int SEMAPHORE_COUNT = 120;

    private final MemorySegment memory;

    /**
     * A header.
     *
     * @param memory of {@link #BYTES} bytes, zeroed
     */
    public LaunchHeader(MemorySegment memory) {
        this.memory = memory;
    }

    private void set(int offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
    }

    void blocks(long address) {
        set(BLOCKS, address);
    }

    void abortWord(long address) {
        set(ABORT_WORD, address);
    }

    void counters(long address) {
        set(COUNTERS, address);
    }

    void meeting(long address) {
        set(MEETING, address);
    }

    void scratch(long address, long bytes) {
        set(SCRATCH, address);
        set(SCRATCH_BYTES, bytes);
    }

    void peers(long address) {
        set(PEERS, address);
    }

    void blockCount(int count, boolean meets) {
        memory.set(ValueLayout.JAVA_INT, BLOCK_COUNT, count);
        memory.set(ValueLayout.JAVA_INT, MEETS, meets ? 1 : 0);
    }

    void semaphores(long address, long leavers, int count) {
        set(SEMAPHORES, address);
        set(LEAVERS, leavers);
        set(SEMAPHORE_COUNT, count);
    }

    /** Where the table lies on the device, if not behind this header. */
    public void table(long address) {
        set(TABLE, address);
    }

    /** Where the round starts in each slice, in bytes. */
    public void roundShift(long bytes) {
        set(ROUND_SHIFT, bytes);
    }

    /** Where each block writes {@link #number} when it ends, as the device sees it. */
    public void finished(long address) {
        set(FINISHED, address);
    }

    /** What the blocks of the next launch write when they end; 0: nothing. */
    public void number(long number) {
        set(NUMBER, number);
    }

    /** The word that is not 0 while a launch of the communicator is at work on this rank; in memory of the device. */
    public void running(long address) {
        set(RUNNING, address);
    }
}
