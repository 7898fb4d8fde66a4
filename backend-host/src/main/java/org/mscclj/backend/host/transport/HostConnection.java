package org.mscclj.backend.host.transport;

import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.UnitCopy;
import org.mscclj.spi.transport.mapped.OwnMemory;
import org.mscclj.spi.transport.mapped.PeerMemory;

/**
 * A connection by mapped memory. Every operation has ended when its call returns, so that all posted operations are
 * completed.
 */
final class HostConnection implements TransportConnection {
    private final BackendDevice device;
    private long posted;

    HostConnection(BackendDevice device) {
        this.device = device;
    }

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        UnitCopy.copy(
                NativeMemory.ALL,
                OwnMemory.of(source, device).address() + sourceOffset,
                NativeMemory.ALL,
                PeerMemory.of(target, device).address() + targetOffset,
                bytes);
        return ++posted;
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        // A volatile read-modify-write: a thread that acquires the new value sees everything written before.
        NativeMemory.getAndAddLong(PeerMemory.of(target, device).address() + targetOffset, 1);
        // A sleeping thread, of this process or of the peer's, does not see the counter: wake it.
        device.wake();
        return ++posted;
    }

    @Override
    public long completed() {
        return posted;
    }

    @Override
    public void close() {
        // holds no resources
    }
}
