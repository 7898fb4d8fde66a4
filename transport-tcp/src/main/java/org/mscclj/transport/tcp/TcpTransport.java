package org.mscclj.transport.tcp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.HostSegment;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.transport.tcp.connection.TcpConnection;
import org.mscclj.transport.tcp.greeting.Hello;
import org.mscclj.transport.tcp.greeting.ProcessSockets;
import org.mscclj.transport.tcp.memory.TcpRemoteMemory;
import org.mscclj.transport.tcp.memory.WritableMemoryTable;
import org.mscclj.transport.tcp.settings.TcpSettings;

/**
 * The memory and the connections of one rank. The process listens, and the event loop runs, only while a rank of it has
 * endpoints.
 */
final class TcpTransport implements Transport {
    private final BackendDevice device;
    private final TcpSettings settings;
    private final WritableMemoryTable memories = new WritableMemoryTable();
    private final Set<TcpConnection> connections = ConcurrentHashMap.newKeySet();
    private @Nullable ProcessSockets sockets;
    private boolean closed;

    TcpTransport(BackendDevice device, TcpSettings settings) {
        this.device = device;
        this.settings = settings;
        try (DeviceBuffer probe = device.allocate(0)) {
            if (HostSegment.of(probe).isEmpty()) {
                throw new UnsupportedException(
                        "transport tcp moves memory that the host can access, which that of backend " + device.backend()
                                + " is not; use a transport of that backend");
            }
        }
    }

    @Override
    public byte[] describeAddress() {
        return ByteBuffer.allocate(Long.BYTES + 1)
                .putLong(Hello.MAGIC)
                .put((byte) ((settings.tls().isPresent() ? 1 : 0)
                        | settings.protection().code() << 1))
                .array();
    }

    /**
     * Whether a peer has the same version and the same settings of TLS and sealing; such a peer counts as reachable.
     */
    @Override
    public boolean reaches(byte[] peerAddress) {
        return Arrays.equals(peerAddress, describeAddress());
    }

    @Override
    public LocalMemory register(DeviceBuffer buffer) {
        return memories.register(device, buffer);
    }

    @Override
    public RemoteMemory importMemory(byte[] description) {
        return TcpRemoteMemory.decode(description);
    }

    @Override
    public synchronized TransportEndpoint createEndpoint(byte[] peerAddress) {
        TcpConnection connection = new TcpConnection(sockets(), device, memories, connections::remove);
        connections.add(connection);
        return new TcpEndpoint(connection, settings.timeout());
    }

    private ProcessSockets sockets() {
        if (closed) {
            throw new InvalidArgumentException("the transport is closed; open another one");
        }
        ProcessSockets open = sockets;
        if (open == null) {
            open = ProcessSockets.acquire(settings);
            sockets = open;
        }
        return open;
    }

    @Override
    public void close() {
        ProcessSockets open;
        synchronized (this) {
            closed = true;
            open = sockets;
            sockets = null;
        }
        connections.forEach(TcpConnection::close);
        memories.close();
        if (open != null) {
            open.release();
        }
    }
}
