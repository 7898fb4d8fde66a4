package org.mscclj.plan.program;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.mscclj.api.type.Collective;

/**
 * Which shipped programs serve a message best on a kind of machine: the sizes at which another program, or more of it,
 * is better. Depends on nothing but its arguments, since ranks that differed would wait for ever.
 *
 * @param scratchLimit most scratch of a program on each rank, in bytes
 * @param packets when packets pay
 * @param leastRelayBytes what reaches ranks through others takes more steps than what comes from the root: that pays
 *     where the root would send so many bytes, to all together
 * @param leastKeptBytes where ranks read from all others and each copies its own part, blocks of their own do that in
 *     messages from so many bytes on
 * @param blockSteps the numbers of thread blocks, ascending
 */
public record ProgramPreference(
        long scratchLimit, PacketUse packets, long leastRelayBytes, long leastKeptBytes, List<BlockStep> blockSteps) {
    /**
     * As many blocks copy some 300 GB/s on an H100, which is what its links bring from the one peer of two ranks
     * meanwhile. Of more ranks each part is as much smaller.
     */
    private static final int KEEPERS_OF_TWO = 8;

    /**
     * When packets pay, which take twice the memory traffic and one hop.
     *
     * @param mostBytes while a rank sends so few bytes, to all of its peers together
     * @param bytesOfBlock how much of a message one block is for
     * @param mostBlocks most blocks
     * @param betweenTwo whether also between two ranks that access each other's buffers, for which two signals are
     *     enough
     * @param countsParts whether, where each peer gets another part of the message, no more than that counts; else the
     *     whole message does, for each
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
     * So many blocks from some size on.
     *
     * @param blocks thread blocks of each rank
     * @param leastBytes least size of the message, in bytes
     * @param leastBytesOfRank least part of it that falls on each rank
     */
    public record BlockStep(int blocks, long leastBytes, long leastBytesOfRank) {
        private long start(int ranks) {
            return Math.max(leastBytes, ranks * leastBytesOfRank);
        }
    }

    /**
     * Processors, whose ranks share few cores. What one round moves should stay in the last-level cache. One block is
     * best for latency; several let threads without other work help, but what a rank does for each of the others must
     * be worth their signals, whose number grows with the ranks.
     */
    public static final ProgramPreference HOST = new ProgramPreference(
            4 << 20,
            new PacketUse(32 << 10, Long.MAX_VALUE, 1, false, false),
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            List.of(new BlockStep(4, 1 << 20, 256 << 10)));

    /** GPUs: as many blocks as have a few vectors for each of their threads. */
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

    /** What only one collective has comes first. */
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
     * The programs that a communicator tries, best first. It takes the first that can be: whose peers can be mapped,
     * and that needs no registered buffers where there are none.
     *
     * <p>Packets are best for small messages. Between two ranks that access each other's buffers two signals may take
     * no longer than one way of packets, and nothing is written twice.
     *
     * @param messageBytes size of the message: the output's for allgather, the input's otherwise
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
     * Thread blocks of each rank.
     *
     * @param spec what else the program is made for; its own number of blocks means nothing
     */
    public int blocks(ShippedProgram program, ProgramSpec spec, long messageBytes) {
        if (program == ShippedProgram.DIRECT && messageBytes >= leastKeptBytes && DirectPrograms.copiesOwnPart(spec)) {
            return DirectPrograms.MOST_READERS + Math.ceilDiv(KEEPERS_OF_TWO, spec.ranks() - 1);
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

    /** The sizes from which on {@link #order} or {@link #blocks} may give something else than below, ascending. */
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
