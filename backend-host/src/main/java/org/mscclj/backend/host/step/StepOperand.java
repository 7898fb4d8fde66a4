package org.mscclj.backend.host.step;

import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.plan.layout.RoundLayout.Range;
import org.mscclj.posix.NativeMemory;

/**
 * An operand of an operation: chunks of a buffer. It is made for any launch; when a round begins, it takes the layout
 * and the buffers of the round. Positions are payload bytes relative to the start of the operation's own range. A
 * cursor keeps the current piece, because positions usually ascend.
 */
public final class StepOperand {
    /** The address of padding: reads return zero, writes are dropped. */
    public static final long PADDING = -1;

    /** The dependence of addresses on the launch. */
    public enum Moves {
        /** Input and output: with the round. */
        WITH_ROUND,
        /** Double scratch: with the half. */
        WITH_HALF,
        /** Single scratch: not at all. */
        NEVER
    }

    private final ToLongFunction<LaunchBuffers> start;
    private final int index;
    private final int size;
    private final BlockShare share;
    private final int alignment;
    private final int scale;
    private final Moves moves;
    private final long halfBytes;

    private @Nullable LaunchRound round;
    private RoundLayout layout;
    private long base;
    private long rangeStart;
    private long length;
    private long shift;

    /** The current piece: its positions, and the address of the first; an empty piece is none. */
    private long pieceStart;

    private long pieceEnd;
    private long pieceAddress;

    /**
     * An operand.
     *
     * @param start returns the address of the buffer, or of its first half
     * @param index first chunk
     * @param size number of chunks
     * @param share the block's share of the chunks
     * @param alignment granularity of shares, in bytes
     * @param packets whether the operand is a packet area, whose addresses are twice the payload offset
     * @param moves the dependence of addresses on the launch
     * @param halfBytes distance of the halves of double scratch, in bytes of memory
     */
    @SuppressWarnings("NullAway.Init") // begin comes first
    public StepOperand(
            ToLongFunction<LaunchBuffers> start,
            int index,
            int size,
            BlockShare share,
            int alignment,
            boolean packets,
            Moves moves,
            long halfBytes) {
        this.start = start;
        this.index = index;
        this.size = size;
        this.share = share;
        this.alignment = alignment;
        this.scale = packets ? 2 : 1;
        this.moves = moves;
        this.halfBytes = halfBytes;
    }

    /** Length of the operation's own range in this round, in bytes. */
    public long length() {
        return length;
    }

    /** Begins a round of a launch. */
    @SuppressWarnings("ReferenceEquality") // another object may have other contents
    public void begin(StepContext context) {
        LaunchRound next = context.round();
        if (next != round) {
            enter(next);
        }
        shift = switch (moves) {
            case WITH_ROUND -> context.roundShift();
            case WITH_HALF -> context.evenHalf() ? halfBytes : 0;
            case NEVER -> 0;
        };
    }

    private void enter(LaunchRound next) {
        round = next;
        layout = next.layout();
        Range chunks = layout.chunks(index, size);
        Range part = RoundLayout.share(chunks.length(), share, alignment);
        rangeStart = chunks.start() + part.start();
        length = part.length();
        base = start.applyAsLong(next.buffers()) - (moves == Moves.WITH_ROUND ? scale * layout.offset() : 0);
        pieceStart = 0;
        pieceEnd = 0;
    }

    /**
     * Number of bytes from a position that are contiguous, or are all padding; at least 1 for positions inside the
     * range.
     */
    public long run(long position) {
        if (position < pieceStart || position >= pieceEnd) {
            find(position);
        }
        return pieceEnd - position;
    }

    private void find(long position) {
        long padded = rangeStart + position;
        boolean scratch = moves != Moves.WITH_ROUND;
        long run = scratch ? layout.scratchRun(padded) : layout.bufferRun(padded);
        long offset = scratch ? layout.scratchOffset(padded) : layout.bufferOffset(padded);
        pieceStart = position;
        pieceEnd = position + Math.min(run, length - position);
        pieceAddress = offset == Piece.PADDING ? PADDING : base + scale * offset;
    }

    /** Address of the position of the last call of {@link #run}; {@link #PADDING} if it is padding. */
    public long address(long position) {
        return pieceAddress == PADDING ? PADDING : pieceAddress + shift + scale * (position - pieceStart);
    }

    /** Copies a part of the range to memory; padding becomes zeros. */
    public void copyOut(long position, long destination, long bytes) {
        long end = position + bytes;
        while (position < end) {
            long run = Math.min(run(position), end - position);
            long address = address(position);
            if (address == PADDING) {
                NativeMemory.fill(destination, run, (byte) 0);
            } else {
                NativeMemory.copy(address, destination, run);
            }
            position += run;
            destination += run;
        }
    }

    /** Fills a part of the range from memory; padding is skipped. */
    public void copyIn(long source, long position, long bytes) {
        long end = position + bytes;
        while (position < end) {
            long run = Math.min(run(position), end - position);
            long address = address(position);
            if (address != PADDING) {
                NativeMemory.copy(source, address, run);
            }
            position += run;
            source += run;
        }
    }
}
