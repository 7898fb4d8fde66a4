package org.mscclj.backend.cuda.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A part of a block, or all of it.
 *
 * @param block held as long as the piece is not freed
 * @param offset where it starts in the block, in bytes
 */
record DevicePiece(DeviceBlock block, long offset) implements Piece {
    @Override
    public long address() {
        return block.address() + offset;
    }

    @Override
    public Optional<MemorySegment> segment() {
        return Optional.empty();
    }

    @Override
    public void free() {
        block.drop();
    }
}
