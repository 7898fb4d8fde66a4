package org.mscclj.backend.host.memory;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.memory.AllocatedBuffer;

/** A buffer of native memory of this process, or a part of one. */
final class HostBuffer extends AllocatedBuffer {
    private final HostAllocation allocation;

    private HostBuffer(HostAllocation allocation, long address, long byteSize, boolean owner) {
        super(allocation.use(), address, byteSize, owner);
        this.allocation = allocation;
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
    protected DeviceBuffer part(long offset, long bytes) {
        return new HostBuffer(allocation, address() + offset, bytes, false);
    }

    @Override
    public MemorySegment segment() {
        MemorySegment whole = allocation.segment();
        return whole.byteSize() == byteSize() ? whole : whole.asSlice(address() - whole.address(), byteSize());
    }
}
