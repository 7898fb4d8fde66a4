package org.mscclj.backend.cuda.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;

/**
 * Memory of a peer, seen through a mapping that somebody else keeps.
 *
 * @param address where it starts
 */
record PeerPiece(long address) implements Piece {
    @Override
    public Optional<MemorySegment> segment() {
        return Optional.empty();
    }

    @Override
    public PeerVisible visible(boolean processes) {
        throw new UnsupportedException("this is memory of a peer, mapped here; only its owner can let others map it");
    }

    @Override
    public void free() {
        // the mapping has an owner of its own
    }
}
