package org.mscclj.spi.transport;

/**
 * Receives events of a connection that occur outside calls. Threads of the transport call its methods, possibly while
 * an operation of the connection is in progress. The methods must not block or throw.
 */
public interface ConnectionListener {
    /** Called when {@link TransportConnection#completed} may have grown. */
    void progressed();

    /**
     * Called when one or more signals of the peer have been counted since the last call. Only if the connection
     * {@linkplain TransportConnection#tellsSignals reports} signals; then each signal is followed by a call, in a
     * thread that sees the signal.
     */
    default void signalled() {}

    /**
     * Called when the connection has failed: no operation will succeed, and operations of the peer will not arrive.
     * Called once; not called when this side closes, nor when the peer closes in good order.
     *
     * @param reason the failure and the remedy
     */
    void failed(String reason);
}
