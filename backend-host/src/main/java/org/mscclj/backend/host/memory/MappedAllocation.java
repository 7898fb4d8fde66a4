package org.mscclj.backend.host.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.spi.device.MappedMemory;

/** Memory of another rank of this process: its address is the same here, and it stays while it is mapped. */
final class MappedAllocation implements MappedMemory {
    private final HostAllocation allocation;
    private final long offset;
    private final long byteSize;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Maps a part of an allocation. */
    MappedAllocation(HostAllocation allocation, long offset, long byteSize) {
        allocation.map();
        this.allocation = allocation;
        this.offset = offset;
        this.byteSize = byteSize;
    }

    @Override
    public long address() {
        return allocation.segment().address() + offset;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            allocation.unmap();
        }
    }
}
