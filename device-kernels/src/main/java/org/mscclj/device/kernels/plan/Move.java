package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;

/**
 * What a block does with data in one step: sources are combined, and the result is stored in all destinations. Most
 * operations are one move; those that put several chunks are one for each.
 *
 * @param plainSources combined in order; at most one if there are packets
 * @param packetSources combined in order, before the plain source
 * @param plainDestinations where the result goes; at most one if there are packets
 * @param packetDestinations where the result goes as packets
 * @param share the block's share of every operand
 */
record Move(
        List<Place> plainSources,
        List<Place> packetSources,
        List<Place> plainDestinations,
        List<Place> packetDestinations,
        BlockShare share) {
    /** Copies the lists. */
    Move {
        plainSources = List.copyOf(plainSources);
        packetSources = List.copyOf(packetSources);
        plainDestinations = List.copyOf(plainDestinations);
        packetDestinations = List.copyOf(packetDestinations);
    }

    static Move plain(List<Place> sources, List<Place> destinations, BlockShare share) {
        return new Move(sources, List.of(), destinations, List.of(), share);
    }

    boolean hasPackets() {
        return !packetSources.isEmpty() || !packetDestinations.isEmpty();
    }

    /** All operands, in the order in which the device library takes them. */
    List<Place> operands() {
        List<Place> all = new ArrayList<>();
        Stream.of(plainSources, packetSources, plainDestinations, packetDestinations)
                .forEach(all::addAll);
        return all;
    }

    /** Whether the operand at a position of {@link #operands} is packets. */
    boolean isPackets(int position) {
        int packets = plainSources.size();
        int plain = packets + packetSources.size();
        return (position >= packets && position < plain) || position >= plain + plainDestinations.size();
    }

    /** Whether the operand at a position of {@link #operands} is written. */
    boolean isDestination(int position) {
        return position >= plainSources.size() + packetSources.size();
    }

    /** A bit for each operand in scratch. */
    long inScratch() {
        List<Place> operands = operands();
        long mask = 0;
        for (int i = 0; i < operands.size(); i++) {
            mask |= operands.get(i).buffer() == BufferType.SCRATCH ? 1L << i : 0;
        }
        return mask;
    }
}
