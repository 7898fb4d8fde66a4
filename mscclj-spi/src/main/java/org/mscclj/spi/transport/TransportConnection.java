package org.mscclj.spi.transport;

/**
 * One-sided operations towards one peer, in order. None blocks; each returns its position in the connection's sequence,
 * from 1. Offsets and sizes are bytes, 64 bits, and already checked.
 */
public interface TransportConnection extends AutoCloseable {
    /** Starts copying. Units of 8 aligned bytes arrive whole, so that packets may be sent. */
    long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes);

    /**
     * Adds one to a 64-bit counter of the peer. Whoever sees it by an acquiring load also sees everything written through
     * this connection before.
     */
    long signal(RemoteMemory target, long targetOffset);

    /** The last position up to which sources have been read completely. Makes progress where the transport needs it. */
    long completed();

    /** Ends the connection on this side. Idempotent. */
    @Override
    void close();
}
