package org.mscclj.api.channel;

/**
 * A pair of 64-bit counters, one on each side of a connection: a signal raises the peer's counter, a wait waits for
 * this rank's counter. One channel uses one semaphore.
 */
public interface Semaphore extends AutoCloseable {
    /** The connection it belongs to. */
    Connection connection();

    /** Frees this side. Idempotent. Close channels that use it first. */
    @Override
    void close();
}
