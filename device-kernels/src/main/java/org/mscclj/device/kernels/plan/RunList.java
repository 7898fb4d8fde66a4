package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.mscclj.plan.fusion.Move;
import org.mscclj.plan.fusion.OperandRange;
import org.mscclj.plan.fusion.PacketUnit;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.plan.layout.RoundLayout.Range;

/**
 * The runs of a move: pieces of its range in which every operand is contiguous, or all padding. Addresses are those of
 * the first round and of the first half; kernels add the offsets of the launch.
 */
final class RunList {
    private static final long UNIT = PacketUnit.PAYLOAD;

    private static final int SOURCE_BYTES = 56;
    private static final int DESTINATION_BYTES = 60;

    /** An operand's pieces, relative to the move's range. */
    private record Operand(long base, long rangeStart, int scale, long offset, List<Piece> pieces) {
        private Piece at(long position) {
            for (Piece piece : pieces) {
                if (piece.padded() - rangeStart + piece.length() > position) {
                    return piece;
                }
            }
            throw new IllegalStateException("position " + position + " is outside of the operand's range");
        }

        /** 0 for padding. */
        long address(long position) {
            Piece piece = at(position);
            return piece.isPadding()
                    ? 0
                    : base + scale * (piece.real() - offset + position - (piece.padded() - rangeStart));
        }

        /** Number of real bytes from a position on, up to a limit. */
        long real(long position, long limit) {
            Piece piece = at(position);
            return piece.isPadding() ? 0 : Math.min(limit, piece.padded() - rangeStart + piece.length() - position);
        }
    }

    /**
     * An address of a run beside those of its operands, as far from a base as an operand is from its own.
     *
     * @param operand position of the operand
     * @param base 0: the address is always 0
     */
    record Beside(int operand, long base) {}

    private final Move move;
    private final List<Beside> besides;
    private final List<Operand> operands = new ArrayList<>();
    private final int firstDestination;
    private final long length;
    private final List<long[]> runs = new ArrayList<>();

    private RunList(
            Move move,
            RoundLayout layout,
            int alignment,
            ToLongFunction<OperandRange> addresses,
            List<Beside> besides) {
        this.move = move;
        this.besides = besides;
        this.firstDestination =
                move.plainSources().size() + move.packetSources().size();
        List<OperandRange> operandRanges = move.operands();
        long common = 0;
        for (int i = 0; i < operandRanges.size(); i++) {
            OperandRange operand = operandRanges.get(i);
            Range range = operand.share(layout, move.share(), alignment);
            operands.add(new Operand(
                    addresses.applyAsLong(operand),
                    range.start(),
                    move.isPackets(i) ? PacketUnit.BYTES / PacketUnit.PAYLOAD : 1,
                    operand.isScratch() ? 0 : layout.offset(),
                    operand.pieces(layout, range)));
            common = i == 0 ? range.length() : Math.min(common, range.length());
        }
        this.length = common;
    }

    /**
     * The runs of a move, each as its words in the table.
     *
     * @param alignment the plan's granularity, in bytes
     * @param addresses returns the start of an operand's buffer; never 0
     */
    static List<long[]> of(Move move, RoundLayout layout, int alignment, ToLongFunction<OperandRange> addresses) {
        return of(move, layout, alignment, addresses, List.of());
    }

    /**
     * The runs of a move, with more addresses behind those of the operands.
     *
     * @param alignment the plan's granularity, in bytes
     * @param addresses returns the start of an operand's buffer; never 0
     */
    static List<long[]> of(
            Move move,
            RoundLayout layout,
            int alignment,
            ToLongFunction<OperandRange> addresses,
            List<Beside> besides) {
        RunList list = new RunList(move, layout, alignment, addresses, besides);
        list.split();
        return list.runs;
    }

    private void split() {
        SortedSet<Long> cuts = new TreeSet<>();
        for (Operand operand : operands) {
            for (Piece piece : operand.pieces()) {
                long start = piece.padded() - operand.rangeStart();
                if (start > 0 && start < length) {
                    // A unit of packets in which a slice ends is a separate run.
                    cuts.add(move.hasPackets() ? start / UNIT * UNIT : start);
                    cuts.add(move.hasPackets() ? Math.min(length, (start + UNIT - 1) / UNIT * UNIT) : start);
                }
            }
        }
        cuts.add(length);
        long start = 0;
        for (long end : cuts) {
            if (end > start) {
                add(start, end - start);
                start = end;
            }
        }
    }

    private void add(long start, long runLength) {
        long[] run = new long[2 + operands.size() + besides.size()];
        run[0] = start;
        run[1] = runLength;
        boolean stores = firstDestination == operands.size();
        for (int i = 0; i < operands.size(); i++) {
            run[2 + i] = operands.get(i).address(start);
            stores |= move.isDestination(i) && run[2 + i] != 0;
        }
        if (!stores) {
            return; // ends in padding
        }
        for (int i = 0; i < besides.size(); i++) {
            run[2 + operands.size() + i] = address(besides.get(i), start);
        }
        boolean partial = move.hasPackets() && markPartial(run);
        if (partial || runs.isEmpty() || !join(runs.getLast(), run)) {
            runs.add(run);
        }
    }

    private long address(Beside beside, long position) {
        Operand operand = operands.get(beside.operand());
        long address = operand.address(position);
        return address == 0 || beside.base() == 0 ? 0 : address - operand.base() + beside.base();
    }

    /** Marks the number of real bytes of a unit if its plain operands have less than eight. */
    private boolean markPartial(long[] run) {
        if (run[1] != UNIT) {
            return false;
        }
        long source = UNIT;
        long destination = UNIT;
        if (!move.plainSources().isEmpty() && run[2] != 0) {
            source = operands.getFirst().real(run[0], UNIT);
        }
        if (!move.plainDestinations().isEmpty() && run[2 + firstDestination] != 0) {
            destination = operands.get(firstDestination).real(run[0], UNIT);
        }
        if (source == UNIT && destination == UNIT) {
            return false;
        }
        run[1] |= source << SOURCE_BYTES | destination << DESTINATION_BYTES;
        return true;
    }

    /** Extends the run before if this run continues it in all operands. */
    private boolean join(long[] before, long[] run) {
        long lengthBefore = before[1];
        if (lengthBefore >>> SOURCE_BYTES != 0 || before[0] + lengthBefore != run[0]) {
            return false;
        }
        for (int i = 0; i < operands.size() + besides.size(); i++) {
            int operand =
                    i < operands.size() ? i : besides.get(i - operands.size()).operand();
            long first = before[2 + i];
            long goesOn = first == 0 ? 0 : first + operands.get(operand).scale() * lengthBefore;
            if (run[2 + i] != goesOn) {
                return false;
            }
        }
        before[1] = lengthBefore + run[1];
        return true;
    }
}
