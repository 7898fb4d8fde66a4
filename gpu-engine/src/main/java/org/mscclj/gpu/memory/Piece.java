package org.mscclj.gpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;

/** The memory of an allocation, by its origin. */
sealed interface Piece permits DevicePiece, PinnedPiece, ForeignPiece, PeerPiece {
    /** The address on the GPU. */
    long address();

    /** The memory on the host; empty if the host cannot access it. */
    Optional<MemorySegment> segment();

    /**
     * The mappable memory for peers.
     *
     * @param processes whether the peers are in other processes
     * @throws UnsupportedException with the reason if they cannot map it
     */
    PeerVisible visible(boolean processes);

    /** Frees the memory. Called once. */
    void free();
}
