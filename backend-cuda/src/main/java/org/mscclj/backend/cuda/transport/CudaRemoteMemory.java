package org.mscclj.backend.cuda.transport;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.transport.RemoteMemory;

/** A peer's memory, mapped. */
final class CudaRemoteMemory implements RemoteMemory {
    private final MappedMemory mapped;

    CudaRemoteMemory(MappedMemory mapped) {
        this.mapped = mapped;
    }

    static CudaRemoteMemory of(RemoteMemory memory) {
        if (memory instanceof CudaRemoteMemory cuda) {
            return cuda;
        }
        throw InvalidArgumentException.of(
                "target", "memory of another transport, " + memory.getClass().getName(), "memory of transport cuda");
    }

    MappedMemory mapped() {
        return mapped;
    }

    long address() {
        return mapped.address();
    }

    @Override
    public long byteSize() {
        return mapped.byteSize();
    }

    @Override
    public void close() {
        mapped.close();
    }
}
