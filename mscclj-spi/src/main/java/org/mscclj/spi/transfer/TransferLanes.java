package org.mscclj.spi.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * The lanes of point-to-point transfers. Each ordered pair of ranks has {@code lanes} lanes; each lane has
 * {@code slots} slots in the receiver's scratch, and one channel: a signal of the sender marks a slot as full, a signal
 * of the receiver marks it as free again. A transfer is cut into chunks of a slot's {@linkplain #payloadBytes payload},
 * at least one, and chunk {@code k} of a transfer takes lane {@code k mod lanes}; each lane uses its slots round-robin,
 * across transfers.
 *
 * <p>A slot begins with a header of {@link #HEADER_BYTES}, whose first word is the size of the whole transfer in the
 * first chunk, so that the receiver can check that it is the expected size. In other chunks the word is ignored.
 *
 * <p>Ranks of one node reach each other's slots directly. For every other peer a sender has an equal number of slots of
 * its own, from which a port channel copies.
 *
 * @param nodes a number for each rank, equal for ranks that reach each other's memory
 * @param lanes number of lanes of each ordered pair of ranks
 * @param slots number of slots of each lane
 * @param slotBytes size of a slot in bytes, header included: a multiple of 64, more than the header
 * @param copyBlocks blocks that carry out copies of a launch, at most
 */
public record TransferLanes(List<Integer> nodes, int lanes, int slots, long slotBytes, int copyBlocks) {
    /** Bytes before the payload of a slot. */
    public static final long HEADER_BYTES = 64;

    private static final int ALIGNMENT = 64;
    private static final int THREADS = 512;

    /**
     * Checks the numbers, and copies the list.
     *
     * @throws InvalidArgumentException if there is no lane or no slot, or the size of a slot is not allowed
     */
    public TransferLanes {
        if (lanes < 1 || slots < 1) {
            throw InvalidArgumentException.of("lanes and slots", lanes + " and " + slots, "1 or more each");
        }
        if (slotBytes <= HEADER_BYTES || slotBytes % ALIGNMENT != 0) {
            throw InvalidArgumentException.of(
                    "slot", slotBytes + " bytes", "a multiple of " + ALIGNMENT + ", more than " + HEADER_BYTES);
        }
        nodes = List.copyOf(nodes);
    }

    /** Bytes of a transfer that a slot holds. */
    public long payloadBytes() {
        return slotBytes - HEADER_BYTES;
    }

    /** Number of chunks of a transfer; 1 for a transfer of 0 bytes. */
    public long chunks(long messageBytes) {
        return Math.max(1, Math.ceilDiv(messageBytes, payloadBytes()));
    }

    /** Whether two ranks reach each other's memory. */
    public boolean isMapped(int rank, int peer) {
        return nodes.get(rank).equals(nodes.get(peer));
    }

    /**
     * The channel of a lane, among those of its rank and type: memory channels where the ranks reach each other's
     * memory, else port channels.
     *
     * @param outward whether the lane leads from the rank to its peer
     */
    public int channel(int rank, int peer, int lane, boolean outward) {
        boolean mapped = isMapped(rank, peer);
        int before = (int) IntStream.range(0, peer)
                .filter(other -> other != rank && isMapped(rank, other) == mapped)
                .count();
        boolean upward = outward == (rank < peer);
        return (before * lanes + lane) * 2 + (upward ? 0 : 1);
    }

    /** The first slot, in a rank's scratch, of the lane on which its peer sends to it. */
    public int inboxSlot(int receiver, int sender, int lane) {
        int before = sender < receiver ? sender : sender - 1;
        return (before * lanes + lane) * slots;
    }

    /** The first slot, in a rank's scratch, from which a port channel copies to a peer on a lane. */
    public int outboxSlot(int sender, int receiver, int lane) {
        int before = (int) IntStream.range(0, receiver)
                .filter(other -> !isMapped(sender, other))
                .count();
        return ((nodes.size() - 1 + before) * lanes + lane) * slots;
    }

    /** A plan without operations that has the channels and slots, so that the runtime sets them up as for any plan. */
    public Plan plan() {
        List<RankPlan> ranks = new ArrayList<>();
        List<ThreadBlock> blocks = blocks(); // of any rank: one list, because it has a block for each peer
        for (int rank = 0; rank < nodes.size(); rank++) {
            ranks.add(rankPlan(rank, blocks));
        }
        return new Plan(
                "point_to_point",
                Collective.TEST,
                Protocol.SIMPLE,
                false,
                false,
                THREADS,
                false,
                ALIGNMENT,
                0,
                -1L,
                ranks);
    }

    private RankPlan rankPlan(int rank, List<ThreadBlock> blocks) {
        List<Integer> mapped = new ArrayList<>();
        List<Integer> byPort = new ArrayList<>();
        for (int peer = 0; peer < nodes.size(); peer++) {
            if (peer != rank) {
                for (int channel = 0; channel < 2 * lanes; channel++) {
                    (isMapped(rank, peer) ? mapped : byPort).add(peer);
                }
            }
        }
        int slotsOfRank = (nodes.size() - 1) * lanes * slots + byPort.size() / 2 * slots;
        return new RankPlan(rank, 0, 0, slotsOfRank, blocks, mapped, byPort, List.of(), List.of(), List.of());
    }

    /** The largest number of blocks of a launch: one for each lane of each direction, and the blocks for copies. */
    private List<ThreadBlock> blocks() {
        List<ThreadBlock> blocks = new ArrayList<>();
        for (int id = 0; id < 2 * lanes * (nodes.size() - 1) + copyBlocks; id++) {
            blocks.add(new ThreadBlock(id, List.of(), List.of(), List.of(), List.of(), List.of(), List.of()));
        }
        return blocks;
    }
}
