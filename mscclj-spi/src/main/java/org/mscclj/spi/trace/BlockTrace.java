package org.mscclj.spi.trace;

/**
 * The last operations of one block. All memory is allocated in advance; when it is full, a new operation replaces the
 * oldest. One thread at a time writes, and sees the writes of earlier threads; reads happen when no thread writes.
 */
public final class BlockTrace {
    private final int[] operations;
    private final long[] starts;
    private final long[] ends;
    private final long[] bytes;
    private final long[] launches;
    private long added;

    /** Receives the operations of a trace. */
    interface Reader {
        void read(int operation, long launch, long start, long end, long bytes);
    }

    BlockTrace(int entries) {
        operations = new int[entries];
        starts = new long[entries];
        ends = new long[entries];
        bytes = new long[entries];
        launches = new long[entries];
    }

    /**
     * An operation has ended.
     *
     * @param operation a number of {@link ContextTrace#operation}
     * @param launch identifies launches and rounds
     * @param start as {@link System#nanoTime}
     * @param end as {@link System#nanoTime}
     * @param size bytes that it moved or reduced; 0 if it moves none
     */
    public void add(int operation, long launch, long start, long end, long size) {
        int slot = (int) (added % operations.length);
        operations[slot] = operation;
        launches[slot] = launch;
        starts[slot] = start;
        ends[slot] = end;
        bytes[slot] = size;
        added++;
    }

    /** Reads the kept operations, in the order in which they ended. */
    void read(Reader reader) {
        for (long i = Math.max(0, added - operations.length); i < added; i++) {
            int slot = (int) (i % operations.length);
            reader.read(operations[slot], launches[slot], starts[slot], ends[slot], bytes[slot]);
        }
    }
}
