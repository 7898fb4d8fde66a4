package org.mscclj.transport.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportEndpoint;

/**
 * The memory and the connections of one rank. The process listens, and the event loop runs, only while a rank of it has
 * endpoints.
 */
final class TcpTransport implements Transport {
    private final BackendDevice device;
    private final TcpSettings settings;
    private final MemoryTable memories = new MemoryTable();
    private final Set<TcpConnection> connections = ConcurrentHashMap.newKeySet();
    private @Nullable EventLoop loop;
    private boolean closed;

    TcpTransport(BackendDevice device, TcpSettings settings) {
        this.device = device;
        this.settings = settings;
        try (DeviceBuffer probe = device.allocate(0)) {
            MemorySegment _ = probe.segment();
        } catch (UnsupportedException e) {
            throw new UnsupportedException("transport tcp moves memory that the host can access, which that of backend "
                    + device.backend() + " is not; use a transport of that backend");
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
        TcpConnection connection = new TcpConnection(loop(), device, memories, connections::remove);
        connections.add(connection);
        return new TcpEndpoint(connection, settings.timeout());
    }

    private EventLoop loop() {
        if (closed) {
            throw new InvalidArgumentException("the transport is closed; open another one");
        }
        EventLoop running = loop;
        if (running == null) {
            running = EventLoop.acquire(settings);
            loop = running;
        }
        return running;
    }

    @Override
    public void close() {
        EventLoop running;
        synchronized (this) {
            closed = true;
            running = loop;
            loop = null;
        }
        connections.forEach(TcpConnection::close);
        memories.close();
        if (running != null) {
            running.release();
        }
    }
}
