package org.mscclj.plan.program;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.mscclj.api.type.Collective;

/**
 * The best shipped programs for a kind of machine: the sizes from which another program, or more blocks, are better.
 * Depends on its arguments only, because ranks with different choices would deadlock.
 *
 * @param scratchLimit greatest scratch of a program on each rank, in bytes
 * @param packets when packets are better
 * @param leastRelayBytes bytes that the root must send in total before a relay is better. A relay takes more steps than
 *     sends from the root
 * @param leastKeptBytes message size from which dedicated blocks copy a rank's own part where ranks read from all
 *     others
 * @param blockSteps the numbers of thread blocks, ascending
 */
public record ProgramPreference(
        long scratchLimit, PacketUse packets, long leastRelayBytes, long leastKeptBytes, List<BlockStep> blockSteps) {
    /**
     * This many blocks copy about 300 GB/s on an H100, the rate at which its links read from the peer of two ranks
     * meanwhile. With more ranks, each part is smaller in proportion.
     */
    private static final int KEEPERS_OF_TWO = 8;

    /**
     * When packets are better; they have twice the memory traffic, and one hop.
     *
     * @param mostBytes greatest number of bytes that a rank sends to all of its peers together
     * @param bytesOfBlock bytes of a message for each block
     * @param mostBlocks greatest number of blocks
     * @param betweenTwo whether packets are also better between two ranks that access each other's buffers, which need
     *     two signals only
     * @param countsParts whether only a peer's part counts if each peer gets a different part of the message; otherwise
     *     the whole message counts for each peer
     */
    public record PacketUse(
            long mostBytes, long bytesOfBlock, int mostBlocks, boolean betweenTwo, boolean countsParts) {
        private long mostMessageBytes(Collective collective, int ranks) {
            int peers = Math.max(1, ranks - 1);
            boolean parts = countsParts && (collective.inputSlices(2) > 1 || collective == Collective.ALLGATHER);
            return parts ? mostBytes * ranks / peers : mostBytes / peers;
        }

        private int blocks(long messageBytes) {
            return Math.clamp(Math.ceilDiv(messageBytes, bytesOfBlock), 1, mostBlocks);
        }

        private LongStream steps() {
            return LongStream.range(1, mostBlocks).map(blocks -> blocks * bytesOfBlock + 1);
        }
    }

    /**
     * A number of blocks from a message size on.
     *
     * @param blocks thread blocks of each rank
     * @param leastBytes least message size in bytes
     * @param leastBytesOfRank least part of it for each rank, in bytes
     */
    public record BlockStep(int blocks, long leastBytes, long leastBytesOfRank) {
        private long start(int ranks) {
            return Math.max(leastBytes, ranks * leastBytesOfRank);
        }
    }

    /**
     * Processors, whose ranks share few cores. The data of one round should fit the last-level cache. One block has the
     * least latency. Several blocks let idle threads help, but the work for each peer must outweigh its signals, whose
     * number grows with the ranks.
     */
    public static final ProgramPreference HOST = new ProgramPreference(
            4 << 20,
            new PacketUse(32 << 10, Long.MAX_VALUE, 1, false, false),
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            List.of(new BlockStep(4, 1 << 20, 256 << 10)));

    /** GPUs: as many blocks as have a few vectors for each thread. */
    public static final ProgramPreference GPU = new ProgramPreference(
            16 << 20,
            new PacketUse(64 << 10, 4 << 10, 8, true, true),
            12 << 20,
            32 << 20,
            List.of(
                    new BlockStep(2, 0, 16 << 10),
                    new BlockStep(4, 0, 32 << 10),
                    new BlockStep(8, 0, 64 << 10),
                    new BlockStep(16, 0, 128 << 10),
                    new BlockStep(32, 0, 256 << 10)));

    private static final List<ShippedProgram> SMALL = List.of(
            ShippedProgram.PACKETS,
            ShippedProgram.DIRECT,
            ShippedProgram.SCRATCH,
            ShippedProgram.TWO_LEVEL,
            ShippedProgram.PORT);

    /** Programs for a single collective come first. */
    private static final List<ShippedProgram> RELAYED = List.of(
            ShippedProgram.RELAY,
            ShippedProgram.DIRECT,
            ShippedProgram.SCRATCH,
            ShippedProgram.PACKETS,
            ShippedProgram.TWO_LEVEL,
            ShippedProgram.PORT);

    private static final List<ShippedProgram> LARGE = List.of(
            ShippedProgram.DIRECT,
            ShippedProgram.SCRATCH,
            ShippedProgram.PACKETS,
            ShippedProgram.TWO_LEVEL,
            ShippedProgram.PORT);

    /** Copies the list. */
    public ProgramPreference {
        blockSteps = List.copyOf(blockSteps);
    }

    /**
     * The programs that a communicator tries, best first. It takes the first one whose requirements are met: mapped
     * peers, and registered buffers.
     *
     * <p>Packets are best for small messages. Between two ranks that access each other's buffers, two signals may be as
     * fast as one hop of packets, and they avoid the second write.
     *
     * @param messageBytes message size in bytes: that of the output for allgather, that of the input otherwise
     * @param direct whether all ranks access each other's buffers
     */
    public List<ShippedProgram> order(Collective collective, long messageBytes, int ranks, boolean direct) {
        if (ranks > 2 && messageBytes >= leastRelayed(ranks)) {
            return RELAYED;
        }
        boolean mayBePackets = packets.betweenTwo() || !(direct && ranks == 2);
        return messageBytes <= packets.mostMessageBytes(collective, ranks) && mayBePackets ? SMALL : LARGE;
    }

    private long leastRelayed(int ranks) {
        return leastRelayBytes == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.ceilDiv(leastRelayBytes, Math.max(1, ranks - 1));
    }

    /**
     * Number of thread blocks of each rank.
     *
     * @param spec specification of the program; its number of blocks is ignored
     */
    public int blocks(ShippedProgram program, ProgramSpec spec, long messageBytes) {
        if (program == ShippedProgram.DIRECT && messageBytes >= leastKeptBytes && DirectPrograms.copiesOwnPart(spec)) {
            return DirectPrograms.MAX_READERS + Math.ceilDiv(KEEPERS_OF_TWO, spec.ranks() - 1);
        }
        return blocks(program, messageBytes, spec.ranks());
    }

    private int blocks(ShippedProgram program, long messageBytes, int ranks) {
        if (program == ShippedProgram.PACKETS) {
            return packets.blocks(messageBytes);
        }
        int blocks = 1;
        for (BlockStep step : blockSteps) {
            if (messageBytes >= step.start(ranks)) {
                blocks = step.blocks();
            }
        }
        return blocks;
    }

    /** The sizes from which {@link #order} or {@link #blocks} may return another value than below, ascending. */
    public List<Long> steps(int ranks) {
        List<Long> starts = new ArrayList<>(
                blockSteps.stream().map(step -> step.start(ranks)).toList());
        for (Collective collective : Collective.values()) {
            starts.add(packets.mostMessageBytes(collective, ranks) + 1);
        }
        packets.steps().forEach(starts::add);
        LongStream.of(leastRelayed(ranks), leastKeptBytes)
                .filter(bytes -> bytes < Long.MAX_VALUE)
                .forEach(starts::add);
        return starts.stream().sorted().distinct().toList();
    }
}
