package org.mscclj.plan.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.mscclj.plan.BlockShare;

/**
 * The layout of one round. Positions are padded bytes, in which chunk {@code i} starts at {@code i · chunkBytes} in
 * every buffer; this record maps them to real bytes.
 *
 * <p>With {@code k} chunks per slice, padded byte {@code v} of input or output is the real byte {@code (v div kC) ·
 * sliceBytes + offset + v mod kC} if {@code v mod kC < bytes}; otherwise it is padding, which reads as zero and ignores
 * writes. Scratch has no padding: padded byte {@code v} is payload byte {@code (v div C) · slotBytes + v mod C} of its
 * half.
 *
 * @param sliceBytes bytes of a whole slice in input and output
 * @param offset start of this round in each slice, in bytes
 * @param bytes bytes of each slice in this round
 * @param chunksPerSlice chunks of a slice
 * @param chunkBytes the size of every chunk, in padded bytes
 * @param slotBytes distance between chunks in scratch, in payload bytes
 */
public record RoundLayout(
        long sliceBytes, long offset, long bytes, int chunksPerSlice, long chunkBytes, long slotBytes) {

    /**
     * A run of padded bytes that are contiguous in memory, or all padding.
     *
     * @param padded start, in padded bytes
     * @param length length, in bytes
     * @param real start in the buffer, in bytes; {@link #PADDING} if the piece is padding
     */
    public record Piece(long padded, long length, long real) {
        /** The real offset of padding. */
        public static final long PADDING = -1;

        /** Whether the piece is padding. */
        public boolean isPadding() {
            return real == PADDING;
        }
    }

    /** A range of padded bytes. */
    public record Range(long start, long length) {
        /** Bytes from {@code start} to the end of the range, exclusive. */
        public long end() {
            return start + length;
        }
    }

    /** The padded bytes of chunks {@code [index, index + size)}. */
    public Range chunks(int index, int size) {
        return new Range(index * chunkBytes, size * chunkBytes);
    }

    /**
     * A block's share of {@code length} bytes, relative to their start. Shares are units of {@code alignment} bytes; if
     * they do not divide evenly, the first blocks take one more.
     */
    public static Range share(long length, BlockShare share, int alignment) {
        if (share.groupSize() == 1) {
            return new Range(0, length);
        }
        long start = partStart(length, share.member(), share.groupSize(), alignment);
        long end = partStart(length, share.member() + 1, share.groupSize(), alignment);
        return new Range(start, end - start);
    }

    /**
     * The length of the shortest share of {@code length} bytes that {@code groupSize} blocks divide.
     *
     * @param length a multiple of the alignment, as the length of a chunk is
     */
    public static long shortestShare(long length, int groupSize, int alignment) {
        return groupSize == 1 ? length : length / alignment / groupSize * alignment;
    }

    /**
     * A block's part of {@code length} bytes in one iteration of a pipeline, relative to their start.
     *
     * @param done bytes of its share that earlier iterations have handled
     * @param unit greatest number of bytes of an iteration
     */
    public static Range part(long length, BlockShare share, int alignment, long done, long unit) {
        Range whole = share(length, share, alignment);
        long before = Math.min(whole.length(), done);
        return new Range(whole.start() + before, Math.min(unit, whole.length() - before));
    }

    private static long partStart(long length, int part, int parts, int alignment) {
        if (part == parts) {
            return length;
        }
        long units = length / alignment;
        return (part * (units / parts) + Math.min(part, units % parts)) * alignment;
    }

    /** Number of iterations of a pipeline over {@code chunks} chunks. */
    public long iterations(int chunks, long unitSize) {
        long total = Math.multiplyHigh(chunks, chunkBytes) == 0 && chunks * chunkBytes >= 0
                ? chunks * chunkBytes
                : Long.MAX_VALUE;
        return total == 0 ? 0 : (total - 1) / unitSize + 1;
    }

    /**
     * Number of padded bytes of input or output, from a position on, that are contiguous or all padding.
     *
     * @param padded position, in padded bytes, of a round with chunks
     */
    public long bufferRun(long padded) {
        long slicePadded = chunksPerSlice * chunkBytes;
        long within = padded % slicePadded;
        return (within < bytes ? bytes : slicePadded) - within;
    }

    /**
     * The real offset of a padded byte of input or output; {@link Piece#PADDING} if it is padding.
     *
     * @param padded position, in padded bytes, of a round with chunks
     */
    public long bufferOffset(long padded) {
        long slicePadded = chunksPerSlice * chunkBytes;
        long slice = padded / slicePadded;
        long within = padded - slice * slicePadded;
        return within < bytes ? slice * sliceBytes + offset + within : Piece.PADDING;
    }

    /** Number of padded bytes of scratch, from a position on, that are contiguous. */
    public long scratchRun(long padded) {
        return chunkBytes == slotBytes ? Long.MAX_VALUE : chunkBytes - padded % chunkBytes;
    }

    /** The payload offset of a padded byte of scratch from the start of a half. */
    public long scratchOffset(long padded) {
        return padded / chunkBytes * slotBytes + padded % chunkBytes;
    }

    /** The pieces of a range of input or output, in order and without gaps. */
    public List<Piece> bufferPieces(Range range) {
        return pieces(range, this::bufferRun, this::bufferOffset);
    }

    /** The pieces of a range of scratch, in payload bytes from the start of a half, without gaps. */
    public List<Piece> scratchPieces(Range range) {
        return pieces(range, this::scratchRun, this::scratchOffset);
    }

    private static List<Piece> pieces(Range range, LongUnaryOperator runs, LongUnaryOperator offsets) {
        List<Piece> pieces = new ArrayList<>();
        long padded = range.start();
        while (padded < range.end()) {
            long length = Math.min(runs.applyAsLong(padded), range.end() - padded);
            pieces.add(new Piece(padded, length, offsets.applyAsLong(padded)));
            padded += length;
        }
        return pieces;
    }
}
