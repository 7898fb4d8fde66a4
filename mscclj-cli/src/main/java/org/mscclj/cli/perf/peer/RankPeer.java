package org.mscclj.cli.perf.peer;

import java.util.Optional;

/** A peer as one rank uses it. Methods are collective. */
public interface RankPeer extends AutoCloseable {
    /**
     * Makes a call ready.
     *
     * @return what times it; empty, on all ranks, if the peer cannot do this
     * @throws org.mscclj.api.error.BackendException if it fails
     */
    Optional<PeerTimer> prepare(PeerCall call);

    /** Frees what it needed. Close what it has prepared first. */
    @Override
    void close();
}
