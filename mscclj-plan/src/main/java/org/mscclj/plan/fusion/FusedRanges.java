package org.mscclj.plan.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.plan.layout.RoundLayout.Range;

/**
 * Where the operands of a fused block lie in the layout of a round. Each is contiguous, and all have one length.
 *
 * @param length payload of the block's share of every operand, in bytes
 * @param plain places of the plain operands, in their order
 * @param packets places of the operands in packets, in their order; all their bytes are real
 */
public record FusedRanges(long length, List<Place> plain, List<Place> packets) {
    /**
     * The place of an operand.
     *
     * @param offset start in the buffer, in bytes of payload, of input and output without the offset of the round; 0 if
     *     no byte is real
     * @param real bytes at the beginning that are real; the others are padding
     */
    public record Place(long offset, long real) {}

    /** Copies the lists. */
    public FusedRanges {
        plain = List.copyOf(plain);
        packets = List.copyOf(packets);
    }

    /**
     * Lays out a block.
     *
     * @return empty if an operand is not contiguous or has another length than the others, if the block has more than
     *     {@link Integer#MAX_VALUE} bytes of payload, or if the halves of scratch that it accesses differ in size
     */
    public static Optional<FusedRanges> of(Plan plan, FusedMoves block, RoundLayout layout) {
        long length = range(plan, block, block.packets().getFirst(), layout).length();
        if (length > Integer.MAX_VALUE || !hasEqualHalves(plan, block)) {
            return Optional.empty();
        }
        List<Place> plain = places(plan, block, block.plain(), layout, length);
        List<Place> packets = places(plan, block, block.packets(), layout, length);
        boolean contiguous = plain.size() == block.plain().size()
                && packets.size() == block.packets().size()
                && packets.stream().allMatch(place -> place.real() == length);
        return contiguous ? Optional.of(new FusedRanges(length, plain, packets)) : Optional.empty();
    }

    /** Whether the second halves of scratch of all ranks whose packets the block accesses begin at one offset. */
    private static boolean hasEqualHalves(Plan plan, FusedMoves block) {
        return !plan.doubleScratch()
                || block.packets().stream()
                                .map(operand -> plan.ranks().get(operand.rank()).scratchChunks())
                                .distinct()
                                .count()
                        == 1;
    }

    private static Range range(Plan plan, FusedMoves block, OperandRange operand, RoundLayout layout) {
        return operand.share(layout, block.share(), plan.bufferAlignment());
    }

    /** The places of operands, up to the first that is not contiguous or has another length. */
    private static List<Place> places(
            Plan plan, FusedMoves block, List<OperandRange> operands, RoundLayout layout, long length) {
        List<Place> places = new ArrayList<>();
        for (OperandRange operand : operands) {
            Range range = range(plan, block, operand, layout);
            Optional<Place> place = range.length() == length ? place(operand, range, layout) : Optional.empty();
            if (place.isEmpty()) {
                break;
            }
            places.add(place.get());
        }
        return places;
    }

    /** The place of a range; empty if its real bytes are not contiguous, or not at its beginning. */
    private static Optional<Place> place(OperandRange operand, Range range, RoundLayout layout) {
        long real = 0;
        long offset = 0;
        long end = Piece.PADDING;
        for (Piece piece : operand.pieces(layout, range)) {
            if (piece.isPadding()) {
                end = Piece.PADDING;
                continue;
            }
            if (piece.padded() - range.start() != real || (real > 0 && piece.real() != end)) {
                return Optional.empty();
            }
            if (real == 0) {
                offset = piece.real() - (operand.isScratch() ? 0 : layout.offset());
            }
            real += piece.length();
            end = piece.real() + piece.length();
        }
        return Optional.of(new Place(offset, real));
    }
}
