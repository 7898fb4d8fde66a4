package org.mscclj.plan.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.mscclj.plan.BlockShare;

/**
 * The data movement of a block in one step: sources are reduced, and the result is stored in all destinations. Most
 * operations are one move; those with several puts are one move for each.
 *
 * @param plainSources sources reduced in order; at most one if there are packets
 * @param packetSources packets reduced in order
 * @param plainDestinations plain destinations; at most one if there are packets
 * @param packetDestinations destinations of the result as packets
 * @param share the block's share of every operand
 * @param plainPlace how many packets are reduced before the plain source; empty for all
 */
public record Move(
        List<OperandRange> plainSources,
        List<OperandRange> packetSources,
        List<OperandRange> plainDestinations,
        List<OperandRange> packetDestinations,
        BlockShare share,
        OptionalInt plainPlace) {
    /** The most operands of a move of a kernel: each has one bit in a mask. */
    public static final int MAX_OPERANDS = 62;

    /** Copies the lists. */
    public Move {
        plainSources = List.copyOf(plainSources);
        packetSources = List.copyOf(packetSources);
        plainDestinations = List.copyOf(plainDestinations);
        packetDestinations = List.copyOf(packetDestinations);
    }

    /** Creates a move that reduces its plain source after its packets, if it has both. */
    public Move(
            List<OperandRange> plainSources,
            List<OperandRange> packetSources,
            List<OperandRange> plainDestinations,
            List<OperandRange> packetDestinations,
            BlockShare share) {
        this(plainSources, packetSources, plainDestinations, packetDestinations, share, OptionalInt.empty());
    }

    /** Creates a move of plain data. */
    public static Move plain(List<OperandRange> sources, List<OperandRange> destinations, BlockShare share) {
        return new Move(sources, List.of(), destinations, List.of(), share);
    }

    /** Whether an operand holds packets. */
    public boolean hasPackets() {
        return !packetSources.isEmpty() || !packetDestinations.isEmpty();
    }

    /** All operands, in the order of the device library. */
    public List<OperandRange> operands() {
        List<OperandRange> all = new ArrayList<>();
        Stream.of(plainSources, packetSources, plainDestinations, packetDestinations)
                .forEach(all::addAll);
        return all;
    }

    /** Whether the operand at a position of {@link #operands} holds packets. */
    public boolean isPackets(int position) {
        int packets = plainSources.size();
        int plain = packets + packetSources.size();
        return (position >= packets && position < plain) || position >= plain + plainDestinations.size();
    }

    /** Whether the operand at a position of {@link #operands} is written. */
    public boolean isDestination(int position) {
        return position >= plainSources.size() + packetSources.size();
    }

    /** A mask with a bit for each operand in scratch. */
    public long inScratch() {
        List<OperandRange> operands = operands();
        long mask = 0;
        for (int i = 0; i < operands.size(); i++) {
            mask |= operands.get(i).isScratch() ? 1L << i : 0;
        }
        return mask;
    }
}
