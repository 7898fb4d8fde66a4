package org.mscclj.cli.perf.peer;

import org.mscclj.cli.ranks.RankSession;

/** Another library that can run the same collectives. */
public interface Peer extends AutoCloseable {
    /** Returns the name in tables. */
    String name();

    /** Returns a description. */
    String description();

    /**
     * Returns the maximum number of turns into which the samples of a call are divided; a turn of this library follows
     * each.
     */
    int mostTurns();

    /**
     * Opens one rank of the library. All ranks must call this.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the library does not support the ranks' devices
     */
    RankPeer join(RankSession session);

    /** Releases its resources. */
    @Override
    void close();
}
