package org.mscclj.spi.transport;

/**
 * One-sided operations towards one peer, in order. None waits for the peer; each returns its position in the
 * connection's sequence, from 1. Offsets and sizes are bytes, 64 bits, and already checked.
 *
 * <p>One thread at a time uses a connection: the proxy's, or one that does its work while it waits; each sees what the
 * ones before did. An operation that fails throws; the communicator is then aborted.
 */
public interface TransportConnection extends AutoCloseable {
    /**
     * Starts copying. Units of 8 bytes that are aligned in source and target arrive whole, so that packets may be sent;
     * whoever sees such a packet also sees what this thread saw before.
     */
    long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes);

    /**
     * Adds one to a 64-bit counter of the peer. Whoever sees it by an acquiring load also sees everything written
     * through this connection before.
     */
    long signal(RemoteMemory target, long targetOffset);

    /**
     * The last position up to which sources have been read completely, and what was written is in its target; never
     * decreases. Makes progress where the transport needs it, and is called again and again while it is behind.
     */
    long completed();

    /**
     * Whether the peer cannot be reached by this connection any more, since it has failed, or the peer has closed it.
     * If an operation throws while this is so, the communicator has lost the peer; otherwise something on this side has
     * failed. Any thread may ask; must neither throw nor block.
     */
    default boolean isPeerLost() {
        return false;
    }

    /**
     * Says whom to tell about what happens without a call: progress that the peer causes, and the end of the
     * connection. Once, before the first operation. Transports that do all their work inside calls have nothing to
     * tell.
     */
    default void listen(ConnectionListener listener) {}

    /**
     * Whether a {@linkplain #listen listener} is told when a signal of the peer has arrived. Whose signals are stored
     * without a thread on this side cannot tell: the proxy then looks at counters again and again.
     */
    default boolean tellsSignals() {
        return false;
    }

    /** Ends the connection on this side. Idempotent. */
    @Override
    void close();
}
