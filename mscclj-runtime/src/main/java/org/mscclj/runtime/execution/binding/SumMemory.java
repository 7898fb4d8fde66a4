package org.mscclj.runtime.execution.binding;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;

/**
 * Memory for the addends of averages and premultiplied sums. All operations of an executor share it: launches of a
 * communicator follow one another on each rank, and peers access the buffers of a rank only while one of its launches
 * is under way.
 *
 * <p>The memory grows to the size that the largest operation needs. An operation that was prepared before keeps the
 * smaller memory until it is closed. Safe for use by several threads.
 */
public final class SumMemory implements AutoCloseable {
    private final BackendDevice device;

    /** All allocated blocks. */
    private final Set<Block> blocks = new HashSet<>();

    private @Nullable Block newest;

    public SumMemory(BackendDevice device) {
        this.device = device;
    }

    /** A block of memory that some operations use. */
    private static final class Block {
        private final DeviceBuffer buffer;
        private int users;

        Block(DeviceBuffer buffer) {
            this.buffer = buffer;
        }
    }

    /** A use of the memory by an operation, which ends when the operation closes the lease. */
    public final class Lease implements AutoCloseable {
        private final Block block;
        private boolean closed;

        private Lease(Block block) {
            this.block = block;
        }

        /** Returns the memory, which may be larger than requested. */
        DeviceBuffer buffer() {
            return block.buffer;
        }

        @Override
        public void close() {
            synchronized (SumMemory.this) {
                if (!closed) {
                    closed = true;
                    release(block);
                }
            }
        }
    }

    /** Leases memory of at least this many bytes. */
    public synchronized Lease lease(long bytes) {
        Block block = newest;
        if (block == null || block.buffer.byteSize() < bytes) {
            block = replace(bytes);
        }
        block.users++;
        return new Lease(block);
    }

    private Block replace(long bytes) {
        Block larger = new Block(device.allocate(bytes));
        Block older = newest;
        newest = larger;
        blocks.add(larger);
        if (older != null && older.users == 0) {
            free(older);
        }
        return larger;
    }

    private void release(Block block) {
        block.users--;
        if (block.users == 0 && !block.equals(newest)) {
            free(block);
        }
    }

    private void free(Block block) {
        if (blocks.remove(block)) {
            block.buffer.close();
        }
    }

    /** Frees all memory. Every launch must have ended. */
    @Override
    public synchronized void close() {
        newest = null;
        Resources.close(blocks.stream().map(block -> block.buffer).toList());
        blocks.clear();
    }
}
