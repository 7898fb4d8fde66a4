package org.mscclj.gpu.memory;

import org.jspecify.annotations.Nullable;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.mapping.DeviceBlock;

/**
 * Packs small allocations of a GPU into blocks of the smallest size, since each block takes 2 MiB at least. Memory that
 * was given back is not reused: a block is freed as a whole when it has no allocation left. So an allocation starts
 * zeroed. And a peer of another process that is still at work, after an abort for example, never writes to memory that
 * has a new owner. Safe for use by several threads.
 */
final class SmallAllocations {
    /** The greatest size that is packed, in bytes. */
    static final long LIMIT = 256 << 10;

    private static final long ALIGNMENT = 512;

    private final DeviceContext context;
    private final boolean shareable;
    private final long blockBytes;
    private final HostAccess access;
    private @Nullable DeviceBlock current;
    private long used;

    SmallAllocations(DeviceContext context, boolean shareable, long blockBytes, HostAccess access) {
        this.context = context;
        this.shareable = shareable;
        this.blockBytes = blockBytes;
        this.access = access;
    }

    /** Allocates zeroed memory. The result holds the block. */
    synchronized DevicePiece take(long bytes) {
        long size = Math.ceilDiv(Math.max(bytes, 1), ALIGNMENT) * ALIGNMENT;
        DeviceBlock block = current;
        if (block == null || used + size > block.bytes() || !block.tryHold()) {
            block = DeviceBlock.create(context, blockBytes, bytes, shareable);
            try {
                access.zero(block.address(), block.bytes());
            } catch (RuntimeException | Error e) {
                block.drop();
                throw e;
            }
            current = block;
            used = 0;
        }
        long offset = used;
        used += size;
        return new DevicePiece(block, offset);
    }
}
