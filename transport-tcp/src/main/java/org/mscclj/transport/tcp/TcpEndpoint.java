package org.mscclj.transport.tcp;

import java.time.Duration;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.transport.tcp.connection.TcpConnection;
import org.mscclj.transport.tcp.greeting.EndpointDescription;

/** An endpoint: peers connect to it by its description. */
final class TcpEndpoint implements TransportEndpoint {
    private final TcpConnection connection;
    private final Duration usualLimit;
    private volatile boolean handedOver;

    /** Creates an endpoint. The limit applies to calls that name none. */
    TcpEndpoint(TcpConnection connection, Duration usualLimit) {
        this.connection = connection;
        this.usualLimit = usualLimit;
    }

    @Override
    public byte[] describe() {
        return connection.description().encode();
    }

    @Override
    public TransportConnection connect(byte[] peerEndpoint) {
        return connect(peerEndpoint, usualLimit);
    }

    @Override
    public TransportConnection connect(byte[] peerEndpoint, Duration limit) {
        connection.connect(EndpointDescription.decode(peerEndpoint), limit);
        handedOver = true;
        return connection;
    }

    @Override
    public void close() {
        if (!handedOver) {
            connection.close();
        }
    }
}
