package org.mscclj.backend.host.step;

import java.util.List;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.posix.NativeMemory;

/**
 * The location of an operand's byte range: pieces of memory, or padding. Positions are payload bytes relative to the
 * start of the operation's own range. A cursor keeps the current piece, because positions usually ascend.
 */
public final class Operand {
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

    private final long length;
    private final long[] starts;
    private final long[] addresses;
    private final int scale;
    private final Moves moves;
    private final long halfBytes;

    private long shift;
    private int index;

    /**
     * An operand.
     *
     * @param base address of the buffer, or of its first half
     * @param rangeStart start of the operation's own range, in padded bytes
     * @param length of the range, in bytes
     * @param pieces the pieces of the range, in order
     * @param offset subtracted from real positions: the start of the layout's round in each slice
     * @param packets whether the operand is a packet area, whose addresses are twice the payload offset
     * @param moves the dependence of addresses on the launch
     * @param halfBytes distance of the halves of double scratch, in bytes of memory
     */
    public Operand(
            long base,
            long rangeStart,
            long length,
            List<Piece> pieces,
            long offset,
            boolean packets,
            Moves moves,
            long halfBytes) {
        this.length = length;
        this.scale = packets ? 2 : 1;
        this.moves = moves;
        this.halfBytes = halfBytes;
        this.starts = new long[pieces.size() + 1];
        this.addresses = new long[pieces.size()];
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            starts[i] = piece.padded() - rangeStart;
            addresses[i] = piece.isPadding() ? PADDING : base + scale * (piece.real() - offset);
        }
        starts[pieces.size()] = length;
    }

    /** Length of the operation's own range, in bytes. */
    long length() {
        return length;
    }

    /** Sets the round and the half of a launch. */
    void begin(StepContext context) {
        shift = switch (moves) {
            case WITH_ROUND -> context.roundShift();
            case WITH_HALF -> context.evenHalf() ? halfBytes : 0;
            case NEVER -> 0;
        };
        index = 0;
    }

    /**
     * Number of bytes from a position that are contiguous, or are all padding; at least 1 for positions inside the
     * range.
     */
    long run(long position) {
        while (starts[index + 1] <= position) {
            index++;
        }
        while (starts[index] > position) {
            index--;
        }
        return starts[index + 1] - position;
    }

    /** Address of the position of the last call of {@link #run}; {@link #PADDING} if it is padding. */
    long address(long position) {
        long address = addresses[index];
        return address == PADDING ? PADDING : address + shift + scale * (position - starts[index]);
    }

    /** Copies a part of the range to memory; padding becomes zeros. */
    void copyOut(long position, long destination, long bytes) {
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
    void copyIn(long source, long position, long bytes) {
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
