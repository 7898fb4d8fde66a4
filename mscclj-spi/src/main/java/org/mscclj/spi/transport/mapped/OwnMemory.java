package org.mscclj.spi.transport.mapped;

import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;

/** A registered buffer of this rank, which cannot be freed while it is registered. */
public final class OwnMemory implements LocalMemory {
    private final BackendDevice device;
    private final DeviceBuffer buffer;
    private final AtomicBoolean closed = new AtomicBoolean();

    OwnMemory(BackendDevice device, DeviceBuffer buffer) {
        device.retain(buffer);
        this.device = device;
        this.buffer = buffer;
    }

    /**
     * The source of a write.
     *
     * @throws InvalidArgumentException if it is not registered with the device's transport
     */
    public static OwnMemory of(LocalMemory memory, BackendDevice device) {
        if (memory instanceof OwnMemory own && own.device.equals(device)) {
            return own;
        }
        throw InvalidArgumentException.of(
                "source of a write",
                "memory of another transport, " + memory.getClass().getName(),
                "memory of transport " + device.backend());
    }

    /** The start address. */
    public long address() {
        return buffer.address();
    }

    @Override
    public long byteSize() {
        return buffer.byteSize();
    }

    @Override
    public byte[] describe() {
        return device.export(buffer).bytes();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.release(buffer);
        }
    }
}
