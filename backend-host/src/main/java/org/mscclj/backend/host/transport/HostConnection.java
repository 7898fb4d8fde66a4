package org.mscclj.backend.host.transport;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.host.ffm.NativeMemory;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.UnitCopy;

/** Every operation is over when the call returns, so all that was posted is completed. */
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
                local(source).address() + sourceOffset,
                NativeMemory.ALL,
                remote(target).address() + targetOffset,
                bytes);
        return ++posted;
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        // A volatile read-modify-write: everything written before is seen by whoever acquires the new value.
        NativeMemory.getAndAddLong(remote(target).address() + targetOffset, 1);
        // A thread that sleeps cannot see the counter, be it of this process or of the peer's.
        device.wake();
        return ++posted;
    }

    @Override
    public long completed() {
        return posted;
    }

    private static HostLocalMemory local(LocalMemory memory) {
        if (memory instanceof HostLocalMemory host) {
            return host;
        }
        throw notOurs("source of a write", memory);
    }

    private static HostRemoteMemory remote(RemoteMemory memory) {
        if (memory instanceof HostRemoteMemory host) {
            return host;
        }
        throw notOurs("target", memory);
    }

    private static InvalidArgumentException notOurs(String argument, Object memory) {
        return InvalidArgumentException.of(
                argument, "memory of another transport, " + memory.getClass().getName(), "memory of transport host");
    }

    @Override
    public void close() {
        // nothing is held
    }
}
