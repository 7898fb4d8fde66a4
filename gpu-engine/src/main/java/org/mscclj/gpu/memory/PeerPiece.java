package org.mscclj.gpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.device.MappedMemory;

/**
 * Memory of a peer.
 *
 * @param mapped the mapping, which ends when this is freed
 */
record PeerPiece(MappedMemory mapped) implements Piece {
    @Override
    public long address() {
        return mapped.address();
    }

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
        mapped.close();
    }
}
