package org.mscclj.spi.transport;

/**
 * Is told what happens to a connection while nobody calls it. Its methods are called by threads of the transport, must
 * not block or throw, and may be called while an operation of the same connection is under way.
 */
public interface ConnectionListener {
    /** {@link TransportConnection#completed} may have grown: it is worth asking now. */
    void progressed();

    /**
     * One signal of the peer or more has been counted since the last call. Only if the connection
     * {@linkplain TransportConnection#tellsSignals tells} of them; then each is followed by a call, by a thread that
     * sees it.
     */
    default void signalled() {}

    /**
     * The connection has failed: no operation will succeed, and the peer's will not arrive. Once; not called when this
     * side closes, nor when the peer closes in good order.
     *
     * @param reason what happened and what to do about it
     */
    void failed(String reason);
}
