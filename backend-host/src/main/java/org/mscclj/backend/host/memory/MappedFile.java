package org.mscclj.backend.host.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.spi.device.MappedMemory;

/** Memory of a rank in another process. */
final class MappedFile implements MappedMemory {
    private final long address;
    private final long byteSize;
    private final Runnable unmap;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * A part of a file that is mapped.
     *
     * @param unmap gives this use of the mapping up
     */
    MappedFile(long address, long byteSize, Runnable unmap) {
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
