package org.mscclj.backend.host.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;

/** A buffer of native memory of this process, or a part of one. */
final class HostBuffer implements DeviceBuffer {
    private final HostAllocation allocation;
    private final long address;
    private final long byteSize;
    private final boolean owner;

    private HostBuffer(HostAllocation allocation, long address, long byteSize, boolean owner) {
        this.allocation = allocation;
        this.address = address;
        this.byteSize = byteSize;
        this.owner = owner;
    }

    static HostBuffer allocate(long bytes, MemorySource source) {
        if (bytes < 0) {
            throw InvalidArgumentException.of("size", bytes + " bytes", "0 or more");
        }
        return of(HostAllocation.take(bytes, source));
    }

    /** Memory of other software, which frees it when {@code release} is called. */
    static HostBuffer adopt(long address, long bytes, Runnable release) {
        if (address == 0 || bytes < 0) {
            throw InvalidArgumentException.of(
                    "foreign memory",
                    bytes + " bytes at 0x" + Long.toHexString(address),
                    "0 bytes or more at an address of this process");
        }
        return of(HostAllocation.of(MemorySource.foreign(address, bytes, release)));
    }

    private static HostBuffer of(HostAllocation allocation) {
        return new HostBuffer(allocation, allocation.address(), allocation.byteSize(), true);
    }

    HostAllocation allocation() {
        return allocation;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    @Override
    public DeviceBuffer slice(long offset, long bytes) {
        if (offset < 0 || bytes < 0 || offset > byteSize() - bytes) {
            throw InvalidArgumentException.of(
                    "slice", bytes + " bytes from offset " + offset, "a range inside " + byteSize() + " bytes");
        }
        return new HostBuffer(allocation, address + offset, bytes, false);
    }

    @Override
    public MemorySegment segment() {
        MemorySegment whole = allocation.segment();
        return whole.byteSize() == byteSize ? whole : whole.asSlice(address - whole.address(), byteSize);
    }

    @Override
    public void copyFrom(MemorySegment source) {
        requireSize("source", source);
        requireOpen();
        segment().copyFrom(source);
    }

    @Override
    public void copyTo(MemorySegment destination) {
        requireSize("destination", destination);
        requireOpen();
        destination.copyFrom(segment());
    }

    private void requireSize(String what, MemorySegment other) {
        if (Objects.requireNonNull(other, what).byteSize() != byteSize()) {
            throw InvalidArgumentException.of(
                    what, other.byteSize() + " bytes", byteSize() + " bytes, like the buffer");
        }
    }

    /** Refuses a closed buffer. Its memory may still exist if a peer has mapped it, but belongs to the peer then. */
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
