package org.mscclj.spi.transport;

import java.time.Duration;

/**
 * One end of a connection that is being set up: a queue pair, a socket. Both ranks create an endpoint, exchange
 * descriptions, and connect.
 */
public interface TransportEndpoint extends AutoCloseable {
    /** The description by which the peer's endpoint connects to this one. */
    byte[] describe();

    /**
     * Connects to the peer's endpoint, from its {@link #describe}. Called once; the connection then owns the endpoint.
     */
    TransportConnection connect(byte[] peerEndpoint);

    /**
     * Like {@link #connect(byte[])}, but waits for the peer at most for a limit. The runtime calls this method. A
     * transport that does not wait while it connects need not implement it.
     *
     * @param limit the longest time to wait for the peer: in this call, and after it where the peer has to connect to
     *     this end
     * @throws org.mscclj.api.error.OperationTimeoutException if the peer does not answer in time; the runtime adds the
     *     rank of the peer
     */
    default TransportConnection connect(byte[] peerEndpoint, Duration limit) {
        return connect(peerEndpoint);
    }

    /**
     * Closes the endpoint if it was not connected. Another thread may close it while {@code connect} waits;
     * {@code connect} then fails soon. Idempotent.
     */
    @Override
    void close();
}
