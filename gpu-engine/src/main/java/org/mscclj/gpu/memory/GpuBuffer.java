package org.mscclj.gpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;

/** A buffer over an allocation, or over a part of it. */
final class GpuBuffer implements DeviceBuffer {
    private final GpuAllocation allocation;
    private final long offset;
    private final long bytes;
    private final boolean owner;

    private GpuBuffer(GpuAllocation allocation, long offset, long bytes, boolean owner) {
        this.allocation = allocation;
        this.offset = offset;
        this.bytes = bytes;
        this.owner = owner;
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
    public long address() {
        return allocation.piece().address() + offset;
    }

    @Override
    public long byteSize() {
        return bytes;
    }

    @Override
    public DeviceBuffer slice(long start, long size) {
        if (start < 0 || size < 0 || start > bytes - size) {
            throw InvalidArgumentException.of(
                    "slice", size + " bytes from offset " + start, "a range inside " + bytes + " bytes");
        }
        return new GpuBuffer(allocation, offset + start, size, false);
    }

    @Override
    public MemorySegment segment() {
        return host().orElseThrow(() ->
                new UnsupportedException("the host cannot access memory of a GPU; use copyFrom and copyTo, or memory of"
                        + " Device.allocateHost, which both access"));
    }

    private Optional<MemorySegment> host() {
        return allocation.piece().segment().map(segment -> segment.asSlice(offset, bytes));
    }

    @Override
    public void copyFrom(MemorySegment source) {
        requireSize("source", source);
        requireOpen();
        host().ifPresentOrElse(
                        segment -> segment.copyFrom(source),
                        () -> allocation.access().write(address(), source));
    }

    @Override
    public void copyTo(MemorySegment destination) {
        requireSize("destination", destination);
        requireOpen();
        host().ifPresentOrElse(destination::copyFrom, () -> allocation.access().read(address(), destination));
    }

    private void requireSize(String what, MemorySegment other) {
        if (Objects.requireNonNull(other, what).byteSize() != bytes) {
            throw InvalidArgumentException.of(what, other.byteSize() + " bytes", bytes + " bytes, like the buffer");
        }
    }

    /** Throws if the buffer is closed: its address may be invalid for the driver then, or belong to other memory. */
    private void requireOpen() {
        if (allocation.use().isClosed()) {
            throw new InvalidArgumentException("the buffer is closed; allocate another one");
        }
    }

    @Override
    public Hold hold() {
        return allocation.use().hold();
    }

    @Override
    public void close() {
        if (owner) {
            allocation.use().close();
        }
    }
}
