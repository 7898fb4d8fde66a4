package org.mscclj.cli.perf.peer;

import org.mscclj.cli.ranks.RankSession;

/** Another library that can run the same collectives. */
public interface Peer extends AutoCloseable {
    /** As tables show it. */
    String name();

    /** What it is, in words. */
    String description();

    /** Into how many turns the batches of a call may be cut; a turn of ours follows each. */
    int mostTurns();

    /**
     * A rank's end of it. Collective.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it cannot work with the ranks' devices
     */
    RankPeer join(RankSession session);

    /** Removes what it needed. */
    @Override
    void close();
}
