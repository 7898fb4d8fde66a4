package org.mscclj.backend.cuda.transport;

import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;

/** A buffer of this rank, kept from being freed. */
final class CudaLocalMemory implements LocalMemory {
    private final BackendDevice device;
    private final DeviceBuffer buffer;
    private final AtomicBoolean closed = new AtomicBoolean();

    CudaLocalMemory(BackendDevice device, DeviceBuffer buffer) {
        device.retain(buffer);
        this.device = device;
        this.buffer = buffer;
    }

    static CudaLocalMemory of(LocalMemory memory) {
        if (memory instanceof CudaLocalMemory cuda) {
            return cuda;
        }
        throw InvalidArgumentException.of(
                "source of a write",
                "memory of another transport, " + memory.getClass().getName(),
                "memory of transport cuda");
    }

    long address() {
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
