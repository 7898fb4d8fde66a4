package org.mscclj.spi.trace;

/**
 * The last operations of one block. All memory is taken in advance; what is added beyond it takes the place of the
 * oldest. Written by one thread at a time, each of which sees what those before wrote; read when nobody writes.
 */
public final class BlockTrace {
    private final int[] operations;
    private final long[] starts;
    private final long[] ends;
    private final long[] bytes;
    private final long[] launches;
    private long added;

    /** What somebody reads of an operation. */
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
     * @param operation what it was, a number of {@link ContextTrace#operation}
     * @param launch tells launches and rounds apart
     * @param start as of {@link System#nanoTime}
     * @param end as of {@link System#nanoTime}
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

    /** Those that are kept, in the order in which they ended. */
    void read(Reader reader) {
        for (long i = Math.max(0, added - operations.length); i < added; i++) {
            int slot = (int) (i % operations.length);
            reader.read(operations[slot], launches[slot], starts[slot], ends[slot], bytes[slot]);
        }
    }
}
