package org.mscclj.spi.transport;

/**
 * One-sided operations towards one peer, in order. None waits for the peer; each returns its position in the
 * connection's sequence, from 1. Offsets and sizes are bytes, 64 bits, and already checked.
 *
 * <p>One thread at a time uses a connection: the proxy's thread, or a waiting thread that does the proxy's work; each
 * sees the effects of earlier threads. An operation that fails throws; the communicator is then aborted.
 */
public interface TransportConnection extends AutoCloseable {
    /**
     * Starts a copy. Units of 8 bytes that are aligned in source and target arrive whole, so that packets may be sent;
     * a reader that sees such a packet also sees everything that this thread saw before. The copy may begin as late as
     * the next call of {@link #signal} or {@link #completed}: a transport can then start several operations at once.
     */
    long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes);

    /**
     * Adds one to a 64-bit counter of the peer. A thread that sees the increment by an acquiring load also sees
     * everything written through this connection before.
     */
    long signal(RemoteMemory target, long targetOffset);

    /**
     * The last position up to which sources have been read completely, and written data is in its target; never
     * decreases. Advances the transport where it needs calls for progress; the proxy calls it repeatedly while
     * operations are outstanding.
     */
    long completed();

    /**
     * Whether the peer cannot be reached by this connection any more, since it has failed, or the peer has closed it.
     * If an operation throws while this is so, the communicator has lost the peer; otherwise something on this side has
     * failed. Any thread may call it; must neither throw nor block.
     */
    default boolean isPeerLost() {
        return false;
    }

    /**
     * Sets the listener for events outside calls: progress that the peer causes, and the end of the connection. Called
     * once, before the first operation. Transports that do all their work inside calls need not override it.
     */
    default void listen(ConnectionListener listener) {}

    /**
     * Whether the {@linkplain #listen listener} is notified when a signal of the peer has arrived. A transport whose
     * signals are stored without a thread on this side cannot notify: the proxy then polls counters.
     */
    default boolean tellsSignals() {
        return false;
    }

    /** Closes the connection on this side. Idempotent. */
    @Override
    void close();
}
