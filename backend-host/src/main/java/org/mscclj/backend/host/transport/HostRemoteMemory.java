package org.mscclj.backend.host.transport;

import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.transport.RemoteMemory;

/** A peer's memory, mapped. */
final class HostRemoteMemory implements RemoteMemory {
    private final MappedMemory mapped;

    HostRemoteMemory(MappedMemory mapped) {
        this.mapped = mapped;
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
