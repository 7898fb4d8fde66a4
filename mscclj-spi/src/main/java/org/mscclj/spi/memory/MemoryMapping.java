package org.mscclj.spi.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.spi.device.MappedMemory;

/** Memory of another rank, at its address here; it stays while it is mapped. */
public final class MemoryMapping implements MappedMemory {
    private final long address;
    private final long byteSize;
    private final Runnable unmap;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Memory that is mapped.
     *
     * @param unmap gives this use of it up; called once
     */
    public MemoryMapping(long address, long byteSize, Runnable unmap) {
        this.address = address;
        this.byteSize = byteSize;
        this.unmap = unmap;
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
    public void close() {
        if (closed.compareAndSet(false, true)) {
            unmap.run();
        }
    }
}
