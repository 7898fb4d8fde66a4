package org.mscclj.api.channel;

/** A connection of this rank to a peer, set up by both ranks together. */
public interface Connection extends AutoCloseable {
    /** The peer. */
    int peer();

    /** The name of the transport that carries the data; {@code mapped} for direct access. */
    String transport();

    /** Closes the connection on this side. Idempotent. */
    @Override
    void close();
}
