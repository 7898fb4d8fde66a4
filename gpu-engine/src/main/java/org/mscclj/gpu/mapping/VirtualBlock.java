package org.mscclj.gpu.mapping;

/**
 * Virtual memory of a block.
 *
 * @param physical the memory, which peers map
 * @param range the addresses at which it is mapped for its GPU
 * @param ours whether this backend has mapped it there, and unmaps it
 */
record VirtualBlock(PhysicalMemory physical, MappedRange range, boolean ours) implements BlockMemory {
    @Override
    public long address() {
        return range.address();
    }

    @Override
    public long bytes() {
        return range.bytes();
    }

    @Override
    public void free() {
        try {
            if (ours) {
                range.unmap();
            }
        } finally {
            physical.release();
        }
    }
}
