package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.plan.layout.RoundLayout.Range;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;

/**
 * The table of a launch whose blocks are fused: a record for each block of the rank, at equal distances.
 *
 * <p>Whether a launch with other packets than lines has such a table is a decision of this rank alone: packets lie
 * where the other form of the launch has them. Whether packets are lines depends on the plan and the layout alone, so
 * all ranks decide alike.
 *
 * @param words the words
 * @param mostUnits the greatest number of threads of a block that have work at once
 * @param inLines whether packets are lines of 128 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FusedTable(long[] words, long mostUnits, boolean inLines) {
    /** Payload of a unit of packets, in bytes, and the alignment of plain data that is moved at once. */
    private static final int UNIT = 8;

    /** Bytes of a unit of packets in memory. */
    private static final int PACKET = 16;

    private static final int SHAPE_SHIFT = 48;

    /** Bytes of a line of packets. */
    private static final int LINE = 128;

    /** Payload of a line, in bytes. */
    private static final int LINE_PAYLOAD = 120;

    /** Lines that a warp sends at once. */
    private static final int LINES_OF_GROUP = 4;

    /** Threads that send these lines. */
    private static final int THREADS_OF_GROUP = 32;

    /**
     * The least payload of a block that is sent in lines: whole groups of lines lie in an area that has twice the size
     * of the payload.
     */
    private static final long LEAST_OF_LINES = 576;

    /**
     * Creates the table of a launch.
     *
     * @param code the fused plan
     * @param layout layout of a round
     * @param mayBeLines whether packets may be lines; equal on all ranks
     * @param mayBePackets whether other packets may be fused
     * @return empty if a block has operands that are not contiguous, or too large
     * @throws org.mscclj.api.error.UnsupportedException if memory to access is not mapped; the message names its owner
     */
    public static Optional<FusedTable> of(
            FusedCode code,
            ContextSpec context,
            LaunchSpec launch,
            RoundLayout layout,
            boolean mayBeLines,
            boolean mayBePackets) {
        boolean inLines =
                mayBeLines && context.plan().protocol() == Protocol.LL128 && areLong(code, context.plan(), layout);
        if (!inLines && !mayBePackets) {
            return Optional.empty();
        }
        Writer writer = new Writer(code, context, launch, layout, inLines);
        if (writer.write()) {
            return Optional.of(new FusedTable(writer.words, writer.mostUnits, inLines));
        }
        if (inLines) {
            throw new IllegalStateException("plan " + context.plan().label() + ", rank " + context.rank()
                    + ": a block of " + layout + " is in lines and has no record");
        }
        return Optional.empty();
    }

    /**
     * Whether the blocks of all ranks are contiguous, long enough for lines, and begin where lines do, in halves of
     * scratch of equal size, and have the threads of a line. A block has a share of single chunks, which are
     * contiguous.
     */
    private static boolean areLong(FusedCode code, Plan plan, RoundLayout layout) {
        int alignment = plan.bufferAlignment();
        long shortest = layout.chunkBytes() / alignment / code.maxGroup() * alignment;
        return plan.threadsPerBlock() >= THREADS_OF_GROUP
                && code.areSingleChunks()
                && code.hasEqualHalves()
                && alignment % (LINE / 2) == 0
                && shortest >= LEAST_OF_LINES
                && layout.chunkBytes() <= Integer.MAX_VALUE;
    }

    private static final class Writer {
        private final FusedCode code;
        private final ContextSpec context;
        private final RoundLayout layout;
        private final boolean inLines;
        private final RankAddresses addresses;
        private final long[] words;
        private long mostUnits;

        Writer(FusedCode code, ContextSpec context, LaunchSpec launch, RoundLayout layout, boolean inLines) {
            this.code = code;
            this.inLines = inLines;
            this.context = context;
            this.layout = layout;
            this.addresses = new RankAddresses(context, launch);
            this.words = new long[code.words(context.rank())];
        }

        boolean write() {
            int at = 0;
            for (FusedBlock block : code.blocks(context.rank())) {
                if (!write(block, at)) {
                    return false;
                }
                at += code.recordWords();
            }
            return true;
        }

        private boolean write(FusedBlock block, int start) {
            List<OperandRange> all = new ArrayList<>(block.plain());
            all.addAll(block.packets());
            long length = range(block, all.getFirst()).length();
            Long half = half(block.packets());
            if (half == null || length > Integer.MAX_VALUE) {
                return false;
            }
            long units = Math.ceilDiv(length, inLines ? LINES_OF_GROUP * LINE_PAYLOAD : UNIT);
            words[start] = (long) code.shape(block) << SHAPE_SHIFT | units;
            words[start + 1] = half;
            mostUnits = Math.max(mostUnits, inLines ? units * THREADS_OF_GROUP : units);
            int at = start + FusedBlock.OWN_WORDS;
            for (OperandRange operand : block.plain()) {
                Range range = range(block, operand);
                long real = real(operand, range);
                if (range.length() != length || real < 0) {
                    return false;
                }
                long address = addresses.of(operand) + (real == 0 ? 0 : offset(operand, range));
                words[at] = address;
                words[at + 1] = real << Integer.SIZE | (address % UNIT == 0 ? real / UNIT * UNIT : 0);
                at += FusedBlock.PLAIN_WORDS;
            }
            for (OperandRange operand : block.packets()) {
                Range range = range(block, operand);
                if (range.length() != length || real(operand, range) != length) {
                    return false;
                }
                long address = addresses.of(operand) + (length == 0 ? 0 : 2 * offset(operand, range));
                if (inLines) {
                    address += addresses.halfBytes(operand.rank()) / 2; // behind the area of other packets
                }
                if (address % (inLines ? LINE : PACKET) != 0) {
                    return false;
                }
                words[at++] = address;
            }
            for (int place : block.places()) {
                words[at++] = place;
            }
            return true;
        }

        /** The distance of the halves of scratch, which must be equal on all ranks; null if it is not. */
        private @Nullable Long half(List<OperandRange> packets) {
            if (!context.plan().doubleScratch()) {
                return 0L;
            }
            List<Long> halves = packets.stream()
                    .map(operand -> addresses.halfBytes(operand.rank()))
                    .distinct()
                    .toList();
            return halves.size() == 1 ? halves.getFirst() : null;
        }

        private Range range(FusedBlock block, OperandRange operand) {
            Range chunks = layout.chunks(operand.index(), operand.size());
            Range part = RoundLayout.share(
                    chunks.length(), block.share(), context.plan().bufferAlignment());
            return new Range(chunks.start() + part.start(), part.length());
        }

        private List<Piece> pieces(OperandRange operand, Range range) {
            return operand.buffer() == BufferType.SCRATCH ? layout.scratchPieces(range) : layout.bufferPieces(range);
        }

        /** The real bytes of a range, if they are contiguous and at its beginning; −1 if they are not. */
        private long real(OperandRange operand, Range range) {
            List<Piece> pieces = pieces(operand, range);
            long real = 0;
            long end = Piece.PADDING;
            for (Piece piece : pieces) {
                if (piece.isPadding()) {
                    end = Piece.PADDING;
                    continue;
                }
                if (piece.padded() - range.start() != real || (real > 0 && piece.real() != end)) {
                    return -1;
                }
                real += piece.length();
                end = piece.real() + piece.length();
            }
            return real;
        }

        /** The offset of the first byte of a range in its buffer, in bytes of payload. */
        private long offset(OperandRange operand, Range range) {
            long first = pieces(operand, range).getFirst().real();
            return operand.buffer() == BufferType.SCRATCH ? first : first - layout.offset();
        }
    }
}
