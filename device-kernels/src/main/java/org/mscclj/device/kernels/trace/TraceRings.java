package org.mscclj.device.kernels.trace;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The rings into which the blocks of a plan write their last events: consecutive in device memory, with the layout of
 * the device library.
 *
 * @param blocks number of rings
 * @param capacity number of events that each ring keeps
 */
public record TraceRings(int blocks, int capacity) {
    static final int RING_BYTES = 32;
    static final int ADDED = 0;
    static final int CAPACITY = 8;

    static final int EVENT_BYTES = 32;
    static final int BEGAN = 0;
    static final int ENDED = 8;
    static final int OPERATION = 16;
    static final int LAUNCH = 24;

    private static final int OPERATION_BITS = 16;

    /** Receives events. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Receives an event.
         *
         * @param operation number of the kind of operation
         * @param launch the packet flag of the launch
         * @param began nanoseconds of the device's clock
         * @param ended nanoseconds of the device's clock
         * @param bytes bytes moved
         */
        void read(int operation, long launch, long began, long ended, long bytes);
    }

    /**
     * The word that precedes an operation's words in the table.
     *
     * @param operation number of the kind of operation
     * @param bytes bytes that the operation moves
     */
    public static long operationWord(int operation, long bytes) {
        if (operation < 0 || operation >>> OPERATION_BITS != 0) {
            throw new IllegalArgumentException("number " + operation + " of an operation has more than 16 bits");
        }
        return operation | bytes << OPERATION_BITS;
    }

    /** Size of all rings in bytes. */
    public long byteSize() {
        return offset(blocks);
    }

    /** Offset of a block's ring in bytes. */
    public long offset(int block) {
        return block * (RING_BYTES + (long) capacity * EVENT_BYTES);
    }

    /**
     * Writes the initial content of the rings.
     *
     * @param memory zeroed, of {@link #byteSize} bytes
     */
    public void initialise(MemorySegment memory) {
        for (int block = 0; block < blocks; block++) {
            memory.set(ValueLayout.JAVA_LONG, offset(block) + CAPACITY, capacity);
        }
    }

    /**
     * Reads the kept events of a block in the order of their ends.
     *
     * @param memory a copy of the rings
     */
    public void read(MemorySegment memory, int block, Reader reader) {
        long ring = offset(block);
        long added = memory.get(ValueLayout.JAVA_LONG, ring + ADDED);
        for (long i = Math.max(0, added - capacity); i < added; i++) {
            long event = ring + RING_BYTES + i % capacity * EVENT_BYTES;
            long operation = memory.get(ValueLayout.JAVA_LONG, event + OPERATION);
            reader.read(
                    (int) (operation & ((1 << OPERATION_BITS) - 1)),
                    memory.get(ValueLayout.JAVA_LONG, event + LAUNCH),
                    memory.get(ValueLayout.JAVA_LONG, event + BEGAN),
                    memory.get(ValueLayout.JAVA_LONG, event + ENDED),
                    operation >>> OPERATION_BITS);
        }
    }
}
