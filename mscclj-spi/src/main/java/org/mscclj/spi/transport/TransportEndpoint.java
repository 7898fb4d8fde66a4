package org.mscclj.spi.transport;

import java.time.Duration;

/**
 * One end of a connection that is being set up: a queue pair, a socket. Both ranks create one, send each other its
 * description, and connect.
 */
public interface TransportEndpoint extends AutoCloseable {
    /** What the peer's endpoint needs to connect to this one. */
    byte[] describe();

    /**
     * Connects to the peer's endpoint, from its {@link #describe}. Once; the endpoint then belongs to the connection.
     */
    TransportConnection connect(byte[] peerEndpoint);

    /**
     * Like {@link #connect(byte[])}, but waits for the peer no longer than a limit. The runtime calls this one. A
     * transport that waits for nobody while it connects need not implement it.
     *
     * @param limit how long the peer is waited for: in this call, and after it where the peer has to connect to this
     *     end
     * @throws org.mscclj.api.error.OperationTimeoutException if the peer does not answer in time; the runtime adds
     *     which rank that is
     */
    default TransportConnection connect(byte[] peerEndpoint, Duration limit) {
        return connect(peerEndpoint);
    }

    /**
     * Gives the endpoint up if it was not connected. Another thread may do so while {@code connect} waits, which then
     * fails soon. Idempotent.
     */
    @Override
    void close();
}
