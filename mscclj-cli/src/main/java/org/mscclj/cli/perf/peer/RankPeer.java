package org.mscclj.cli.perf.peer;

import java.util.Optional;

/** One rank of a peer. All ranks must call each method. */
public interface RankPeer extends AutoCloseable {
    /**
     * Prepares a call.
     *
     * @return the timer of the call; empty on all ranks if the peer does not support the call
     * @throws org.mscclj.api.error.BackendException if it fails
     */
    Optional<PeerTimer> prepare(PeerCall call);

    /** Releases its resources. Close all prepared calls before. */
    @Override
    void close();
}
