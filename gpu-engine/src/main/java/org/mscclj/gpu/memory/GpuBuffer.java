package org.mscclj.gpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.memory.AllocatedBuffer;

/** A buffer over an allocation, or over a part of it. */
final class GpuBuffer extends AllocatedBuffer {
    private final GpuAllocation allocation;
    private final long offset;

    private GpuBuffer(GpuAllocation allocation, long offset, long bytes, boolean owner) {
        super(allocation.use(), allocation.piece().address() + offset, bytes, owner);
        this.allocation = allocation;
        this.offset = offset;
    }

    /** Creates a buffer over all of an allocation. Closing the buffer frees the allocation. */
    static GpuBuffer of(GpuAllocation allocation, long bytes) {
        return new GpuBuffer(allocation, 0, bytes, true);
    }

    GpuAllocation allocation() {
        return allocation;
    }

    /** The start of the buffer in its allocation, in bytes. */
    long offset() {
        return offset;
    }

    @Override
    protected DeviceBuffer part(long start, long size) {
        return new GpuBuffer(allocation, offset + start, size, false);
    }

    @Override
    public MemorySegment segment() {
        return host().orElseThrow(() ->
                new UnsupportedException("the host cannot access memory of a GPU; use copyFrom and copyTo, or memory of"
                        + " Device.allocateHost, which both access"));
    }

    private Optional<MemorySegment> host() {
        return allocation.piece().segment().map(segment -> segment.asSlice(offset, byteSize()));
    }

    @Override
    protected void fill(MemorySegment source) {
        host().ifPresentOrElse(
                        segment -> segment.copyFrom(source),
                        () -> allocation.access().write(address(), source));
    }

    @Override
    protected void read(MemorySegment destination) {
        host().ifPresentOrElse(destination::copyFrom, () -> allocation.access().read(address(), destination));
    }
}
