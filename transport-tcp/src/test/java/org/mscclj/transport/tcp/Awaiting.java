package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.protection.WireProtection;
import org.mscclj.transport.tcp.connection.TcpConnection;
import org.mscclj.transport.tcp.greeting.EndpointDescription;
import org.mscclj.transport.tcp.memory.TcpLocalMemory;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** A side that waits for a peer, which the test simulates. */
final class Awaiting implements AutoCloseable {
    /** Size of the registered memory, which lies in the middle of a larger buffer. */
    static final int BYTES = 256;

    /** Size of the rest, on either side. */
    static final int GUARD = 64;

    /** A process that connects to every other one. */
    static final UUID MIN = new UUID(Long.MIN_VALUE, Long.MIN_VALUE);

    /** A process that every other one connects to. */
    static final UUID HIGHEST = new UUID(Long.MAX_VALUE, Long.MAX_VALUE);

    final Side side;
    final TcpConnection connection;
    final TcpLocalMemory registered;

    Awaiting(int lanes) {
        this(settings(lanes));
    }

    static TcpSettings settings(int lanes) {
        return new TcpSettings(
                PortRange.ANY,
                Optional.empty(),
                lanes,
                Duration.ofSeconds(8),
                Optional.empty(),
                WireProtection.HOSTS,
                KeepAlive.DEFAULT);
    }

    Awaiting(TcpSettings settings) {
        side = new Side(settings, BYTES + 2 * GUARD);
        registered = (TcpLocalMemory) side.transport.register(side.buffer.slice(GUARD, BYTES));
        TcpEndpoint end = (TcpEndpoint) side.transport.createEndpoint(side.transport.describeAddress());
        // the least there is, so that the peer connects
        side.connect(
                end, new EndpointDescription(MIN, new InetSocketAddress("127.0.0.1", 9), 1, new byte[32], 1).encode());
        connection = (TcpConnection) side.connection;
    }

    EndpointDescription description() {
        return connection.description();
    }

    long memoryId() {
        return registered.id();
    }

    /** The only lane. */
    RawPeer accepted() throws IOException {
        return accepted(0, 1);
    }

    RawPeer accepted(int lane, int lanes) throws IOException {
        RawPeer peer = new RawPeer(description());
        assertTrue(peer.greet(description().id(), description().token(), lane, lanes));
        return peer;
    }

    @Override
    public void close() {
        registered.close();
        side.close();
    }
}
