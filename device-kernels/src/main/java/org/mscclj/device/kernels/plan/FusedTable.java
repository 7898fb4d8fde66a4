package org.mscclj.device.kernels.plan;

import java.util.List;
import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.plan.fusion.FusedRanges;
import org.mscclj.plan.fusion.FusedRanges.Place;
import org.mscclj.plan.fusion.Lines;
import org.mscclj.plan.fusion.OperandRange;
import org.mscclj.plan.fusion.PacketUnit;
import org.mscclj.plan.layout.RoundLayout;
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
    private static final int SHAPE_SHIFT = 48;

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
        boolean inLines = mayBeLines && code.plan().areLines(layout);
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
            Plan plan = context.plan();
            Optional<FusedRanges> ranges = FusedRanges.of(plan, block.moves(), layout);
            if (ranges.isEmpty()) {
                return false;
            }
            long units = Math.ceilDiv(ranges.get().length(), inLines ? Lines.GROUP_PAYLOAD : PacketUnit.PAYLOAD);
            words[start] = (long) code.shape(block) << SHAPE_SHIFT | units;
            words[start + 1] = plan.doubleScratch()
                    ? addresses.halfBytes(block.packets().getFirst().rank())
                    : 0;
            mostUnits = Math.max(mostUnits, inLines ? units * Lines.GROUP_THREADS : units);
            int at = writePlain(block.plain(), ranges.get().plain(), start + FusedBlock.OWN_WORDS);
            for (int k = 0; k < block.packets().size(); k++) {
                long address =
                        packets(block.packets().get(k), ranges.get().packets().get(k));
                if (address % (inLines ? Lines.BYTES : PacketUnit.BYTES) != 0) {
                    return false;
                }
                words[at++] = address;
            }
            for (int place : block.places()) {
                words[at++] = place;
            }
            return true;
        }

        /** Writes the words of plain operands; returns the position behind them. */
        private int writePlain(List<OperandRange> operands, List<Place> places, int start) {
            int at = start;
            for (int k = 0; k < operands.size(); k++) {
                Place place = places.get(k);
                long address = addresses.of(operands.get(k)) + place.offset();
                long whole = place.real() / PacketUnit.PAYLOAD * PacketUnit.PAYLOAD;
                words[at] = address;
                words[at + 1] = place.real() << Integer.SIZE | (address % PacketUnit.PAYLOAD == 0 ? whole : 0);
                at += FusedBlock.PLAIN_WORDS;
            }
            return at;
        }

        /** The address of packets. Lines lie behind the area of other packets. */
        private long packets(OperandRange operand, Place place) {
            return addresses.of(operand)
                    + place.offset() * (PacketUnit.BYTES / PacketUnit.PAYLOAD)
                    + (inLines ? addresses.halfBytes(operand.rank()) / 2 : 0);
        }
    }
}
