package org.mscclj.api.channel;

/** A way from this rank to a peer, set up by both together. */
public interface Connection extends AutoCloseable {
    /** The peer. */
    int peer();

    /** What carries the data: {@code mapped} for direct access, else the transport's name. */
    String transport();

    /** Ends the connection on this side. Idempotent. */
    @Override
    void close();
}
