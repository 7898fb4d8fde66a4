package org.mscclj.spi.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.mscclj.spi.device.MappedMemory;

/**
 * A mapping of another rank's memory, at its address in this process. The memory stays allocated while it is mapped.
 */
public final class MemoryMapping implements MappedMemory {
    /** Instead of an object for each mapping: n ranks of a process have several mappings for each pair of ranks. */
    private static final VarHandle CLOSED;

    static {
        try {
            CLOSED = MethodHandles.lookup().findVarHandle(MemoryMapping.class, "closed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long address;
    private final long byteSize;
    private final Runnable unmap;

    @SuppressWarnings("unused") // accessed through CLOSED
    private volatile boolean closed;

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
        if (CLOSED.compareAndSet(this, false, true)) {
            unmap.run();
        }
    }
}
