package org.mscclj.device.kernels.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes the structure {@code LaunchHeader} of the device library, in host memory from which launches copy it. Not
 * thread-safe.
 */
public final class LaunchHeader {
    /**
     * The {@linkplain #number number} of launches that are replayed: a block writes twice the number of its launches
     * when a launch begins, and one more when it ends.
     */
    public static final long REPLAY = -1;

    /** Size of the structure in bytes. */
    public static final int BYTES = 128;

    private static final int BLOCKS = 0;
    private static final int ABORT_WORD = 8;
    private static final int COUNTERS = 16;
    private static final int FINISHED = 24;
    private static final int NUMBER = 32;
    private static final int ROUND_SHIFT = 40;
    private static final int TABLE = 48;
    private static final int WRAP_BARRIER = 56;
    private static final int SCRATCH = 64;
    private static final int SCRATCH_BYTES = 72;
    private static final int PEERS = 80;
    private static final int RUNNING = 88;
    private static final int BLOCK_COUNT = 96;
    private static final int SYNCS_AT_WRAP = 100;
    private static final int LETS_NEXT = 102;
    private static final int SEMAPHORES = 104;
    private static final int LEAVERS = 112;
    private static final int SEMAPHORE_COUNT = 120;

    private final MemorySegment memory;

    /**
     * Creates a header.
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

    void wrapBarrier(long address) {
        set(WRAP_BARRIER, address);
    }

    void scratch(long address, long bytes) {
        set(SCRATCH, address);
        set(SCRATCH_BYTES, bytes);
    }

    void peers(long address) {
        set(PEERS, address);
    }

    void blockCount(int count, boolean syncsAtWrap) {
        memory.set(ValueLayout.JAVA_INT, BLOCK_COUNT, count);
        memory.set(ValueLayout.JAVA_SHORT, SYNCS_AT_WRAP, (short) (syncsAtWrap ? 1 : 0));
    }

    void semaphores(long address, long leavers, int count) {
        set(SEMAPHORES, address);
        set(LEAVERS, leavers);
        set(SEMAPHORE_COUNT, count);
    }

    /**
     * Sets whether the next kernel of the stream may begin before this launch has ended. Only if there is capacity for
     * two launches of this size at once.
     */
    public void letsNext(boolean lets) {
        memory.set(ValueLayout.JAVA_SHORT, LETS_NEXT, (short) (lets ? 1 : 0));
    }

    /** Sets the address of the table on the device if it does not follow this header. */
    public void table(long address) {
        set(TABLE, address);
    }

    /** Sets the start of the round in each slice, in bytes. */
    public void roundShift(long bytes) {
        set(ROUND_SHIFT, bytes);
    }

    /** Sets the address on the device at which each block writes {@link #number} when it ends. */
    public void finished(long address) {
        set(FINISHED, address);
    }

    /** Sets the number that the blocks of the next launch write when they end; 0 for none. */
    public void number(long number) {
        set(NUMBER, number);
    }

    /**
     * Sets the address in device memory of the word that is not 0 while a launch of the communicator runs on this rank.
     */
    public void running(long address) {
        set(RUNNING, address);
    }
}
