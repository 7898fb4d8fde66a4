package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.posix.HeapBlock;

/** Memory that the steps of one launch use between them, for example for packets before they are sent. */
final class StepMemory implements AutoCloseable {
    private final List<HeapBlock> blocks = new ArrayList<>();

    /** Allocates zeroed memory that stays until {@link #close}, and returns its address. */
    long allocate(long bytes, long alignment) {
        HeapBlock block = HeapBlock.zeroed(bytes, alignment);
        blocks.add(block);
        return block.address();
    }

    /** Frees all memory. No step may run any more. Idempotent. */
    @Override
    public void close() {
        blocks.forEach(HeapBlock::close);
        blocks.clear();
    }
}
