package org.mscclj.transport.tcp;

import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/** An end that peers may connect to, as soon as they have been told. */
final class TcpEndpoint implements TransportEndpoint {
    private final TcpConnection connection;
    private boolean handedOver;

    TcpEndpoint(TcpConnection connection) {
        this.connection = connection;
    }

    @Override
    public byte[] describe() {
        return connection.description().encode();
    }

    @Override
    public TransportConnection connect(byte[] peerEndpoint) {
        connection.connect(EndpointDescription.decode(peerEndpoint));
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
