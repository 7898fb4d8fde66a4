package org.mscclj.spi.transport.mapped;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.transport.RemoteMemory;

/** A peer's memory, mapped for this rank's device. */
public final class PeerMemory implements RemoteMemory {
    private final BackendDevice device;
    private final MappedMemory mapped;
    private volatile boolean closed;

    PeerMemory(BackendDevice device, MappedMemory mapped) {
        this.device = device;
        this.mapped = mapped;
    }

    /**
     * The target of a write or a signal.
     *
     * @throws InvalidArgumentException if the device's transport has not imported it
     */
    public static PeerMemory of(RemoteMemory memory, BackendDevice device) {
        if (memory instanceof PeerMemory peers && peers.device.equals(device)) {
            return peers;
        }
        throw InvalidArgumentException.of(
                "target",
                "memory of another transport, " + memory.getClass().getName(),
                "memory of transport " + device.backend());
    }

    /** The memory. */
    public MappedMemory mapped() {
        return mapped;
    }

    /** The start address of the mapping. */
    public long address() {
        return mapped.address();
    }

    /** Whether it is unmapped, so that its address may belong to other memory by now. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public long byteSize() {
        return mapped.byteSize();
    }

    @Override
    public void close() {
        closed = true;
        mapped.close();
    }
}
