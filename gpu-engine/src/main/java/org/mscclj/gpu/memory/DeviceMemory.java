package org.mscclj.gpu.memory;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.spi.device.MappedMemory;

/** The memory that one open backend takes from one GPU. Safe for use by several threads. */
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
        this.granularity = context.within(() -> PhysicalMemory.granularity(context, shareable));
        this.context = context.share();
        this.shareable = shareable;
        this.bulk = new HostAccess(context, STAGING_BYTES);
        this.counters = new HostAccess(context, COUNTER_BYTES);
        this.small = new SmallAllocations(context, shareable, roundUp(2 * SmallAllocations.LIMIT), bulk);
    }

    /** Zeroed memory. */
    GpuAllocation allocate(long bytes) {
        return new GpuAllocation(bytes <= SmallAllocations.LIMIT ? small.take(bytes) : large(bytes), bulk);
    }

    private DevicePiece large(long bytes) {
        DeviceBlock block = DeviceBlock.create(context, roundUp(bytes), bytes, shareable);
        try {
            bulk.zero(block.address(), block.bytes());
            return new DevicePiece(block, 0);
        } catch (RuntimeException | Error e) {
            block.drop();
            throw e;
        }
    }

    /** Or down, where no multiple is large enough: the driver has not so much in any case, and says so. */
    private long roundUp(long bytes) {
        return Math.min(Math.ceilDiv(bytes, granularity), Long.MAX_VALUE / granularity) * granularity;
    }

    /** Zeroed pinned memory. */
    GpuAllocation allocateHost(long bytes) {
        return new GpuAllocation(PinnedPiece.allocate(context, bytes), bulk);
    }

    /** Memory of other software. */
    GpuAllocation adopt(long address, long bytes, Runnable release) {
        return new GpuAllocation(ForeignPiece.of(context, address, bytes, release), bulk);
    }

    /** A peer's memory, mapped here. */
    GpuAllocation view(MappedMemory mapped) {
        return new GpuAllocation(new PeerPiece(mapped), bulk);
    }

    /** How the host reads and writes counters, which never waits for a large copy. */
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
