package org.mscclj.gpu.memory;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.mapping.DeviceBlock;
import org.mscclj.spi.device.MappedMemory;

/** The memory that one open backend allocates on one GPU. Safe for use by several threads. */
final class DeviceMemory implements AutoCloseable {
    private static final long STAGING_BYTES = 4 << 20;
    private static final long COUNTER_BYTES = Long.BYTES;

    private final DeviceContext context;
    private final boolean shareable;
    private final long granularity;
    private final HostAccess bulk;
    private final HostAccess counters;
    private final SmallAllocations small;

    DeviceMemory(DeviceContext context, boolean shareable) {
        this.granularity = DeviceBlock.granularity(context, shareable);
        this.context = context.share();
        this.shareable = shareable;
        this.bulk = new HostAccess(context, STAGING_BYTES);
        this.counters = new HostAccess(context, COUNTER_BYTES);
        this.small = new SmallAllocations(context, shareable, roundUp(2 * SmallAllocations.LIMIT, granularity), bulk);
    }

    /** Allocates zeroed memory. */
    GpuAllocation allocate(long bytes) {
        return new GpuAllocation(bytes <= SmallAllocations.LIMIT ? small.take(bytes) : large(bytes, granularity), bulk);
    }

    /** Allocates zeroed memory of a block of its own, whose size is a multiple of a granularity, too. */
    GpuAllocation allocate(long bytes, long multiple) {
        return new GpuAllocation(large(bytes, Math.max(multiple, granularity)), bulk);
    }

    private DevicePiece large(long bytes, long multiple) {
        DeviceBlock block = DeviceBlock.create(context, roundUp(Math.max(bytes, 1), multiple), bytes, shareable);
        try {
            bulk.zero(block.address(), block.bytes());
            return new DevicePiece(block, 0);
        } catch (RuntimeException | Error e) {
            block.drop();
            throw e;
        }
    }

    /**
     * Rounds up to a multiple, or down where no multiple is large enough. The driver does not have that much memory in
     * any case, and reports it.
     */
    private static long roundUp(long bytes, long multiple) {
        return Math.min(Math.ceilDiv(bytes, multiple), Long.MAX_VALUE / multiple) * multiple;
    }

    /** Allocates zeroed pinned memory. */
    GpuAllocation allocateHost(long bytes) {
        return new GpuAllocation(PinnedPiece.allocate(context, bytes), bulk);
    }

    /** Adopts memory of other software. */
    GpuAllocation adopt(long address, long bytes, Runnable release) {
        return new GpuAllocation(ForeignPiece.of(context, address, bytes, release), bulk);
    }

    /** Creates an allocation for a peer's memory that is mapped here. */
    GpuAllocation view(MappedMemory mapped) {
        return new GpuAllocation(new PeerPiece(mapped), bulk);
    }

    /** The host's access to counters, which never waits for a large copy. */
    HostAccess counters() {
        return counters;
    }

    @Override
    public void close() {
        try {
            bulk.close();
            counters.close();
        } finally {
            context.close();
        }
    }
}
