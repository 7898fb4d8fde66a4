package org.mscclj.spi.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.spi.device.MappedMemory;

/**
 * A mapping of another rank's memory, at its address in this process. The memory stays allocated while it is mapped.
 */
public final class MemoryMapping implements MappedMemory {
    private final long address;
    private final long byteSize;
    private final Runnable unmap;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * A mapping that exists already.
     *
     * @param unmap ends this use of the memory; called once
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
