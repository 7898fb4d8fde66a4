package org.mscclj.gpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;

/** Where the memory of an allocation comes from. */
sealed interface Piece permits DevicePiece, PinnedPiece, ForeignPiece, PeerPiece {
    /** Where it starts, as the GPU sees it. */
    long address();

    /** The memory as the host sees it; empty if it does not. */
    Optional<MemorySegment> segment();

    /**
     * What peers map of it.
     *
     * @param processes whether they live in other processes
     * @throws UnsupportedException if they cannot; says why
     */
    PeerVisible visible(boolean processes);

    /** Gives it back. Once. */
    void free();
}
