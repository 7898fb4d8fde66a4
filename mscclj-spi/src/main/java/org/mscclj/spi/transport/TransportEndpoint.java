package org.mscclj.spi.transport;

/**
 * One end of a connection that is being set up: a queue pair, a socket. Both ranks create one, send each other its description, and
 * connect.
 */
public interface TransportEndpoint extends AutoCloseable {
    /** What the peer's endpoint needs to connect to this one. */
    byte[] describe();

    /** Connects to the peer's endpoint, from its {@link #describe}. Once; the endpoint then belongs to the connection. */
    TransportConnection connect(byte[] peerEndpoint);

    /** Gives the endpoint up if it was not connected. Idempotent. */
    @Override
    void close();
}
