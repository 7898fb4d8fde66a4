package org.mscclj.backend.cuda.memory;

import org.mscclj.backend.cuda.context.DeviceContext;
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
    CudaAllocation allocate(long bytes) {
        return new CudaAllocation(bytes <= SmallAllocations.LIMIT ? small.take(bytes) : large(bytes), bulk);
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
    CudaAllocation allocateHost(long bytes) {
        return new CudaAllocation(PinnedPiece.allocate(context, bytes), bulk);
    }

    /** Memory of other software. */
    CudaAllocation adopt(long address, long bytes, Runnable release) {
        return new CudaAllocation(ForeignPiece.of(context, address, bytes, release), bulk);
    }

    /** A peer's memory, mapped here. */
    CudaAllocation view(MappedMemory mapped) {
        return new CudaAllocation(new PeerPiece(mapped), bulk);
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
