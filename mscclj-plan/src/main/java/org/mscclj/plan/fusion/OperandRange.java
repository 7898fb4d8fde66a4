package org.mscclj.plan.fusion;

import java.util.List;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.plan.layout.RoundLayout.Range;

/**
 * The range of chunks of an operand.
 *
 * @param rank rank that owns the memory
 * @param buffer buffer of that rank
 * @param index first chunk
 * @param size number of chunks
 */
public record OperandRange(int rank, BufferType buffer, int index, int size) {
    /**
     * The padded bytes of a block's share of the range.
     *
     * @param alignment the plan's granularity, in bytes
     */
    public Range share(RoundLayout layout, BlockShare share, int alignment) {
        Range chunks = layout.chunks(index, size);
        Range part = RoundLayout.share(chunks.length(), share, alignment);
        return new Range(chunks.start() + part.start(), part.length());
    }

    /** The pieces of some padded bytes of the operand's buffer, in order and without gaps. */
    public List<Piece> pieces(RoundLayout layout, Range padded) {
        return isScratch() ? layout.scratchPieces(padded) : layout.bufferPieces(padded);
    }

    /** Whether the memory is scratch. */
    public boolean isScratch() {
        return buffer == BufferType.SCRATCH;
    }
}
