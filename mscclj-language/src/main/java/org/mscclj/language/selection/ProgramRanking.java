package org.mscclj.language.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.preference.ProgramPreference;

/**
 * Ranks the shipped programs for messages of each size. Depends on its arguments only, because ranks with different
 * choices would deadlock.
 *
 * @param preference thresholds of the kind of machine
 */
public record ProgramRanking(ProgramPreference preference) {
    /**
     * This many blocks copy about 300 GB/s on an H100, the rate at which its links read from the peer of two ranks
     * meanwhile. With more ranks, each part is smaller in proportion.
     */
    private static final int KEEPERS_OF_TWO = 8;

    /** A ring serves ranks of which a device does not take the operands of the programs before it. */
    private static final List<ShippedProgram> SMALL = List.of(
            ShippedProgram.PACKETS,
            ShippedProgram.DIRECT,
            ShippedProgram.SCRATCH,
            ShippedProgram.RING,
            ShippedProgram.TWO_LEVEL,
            ShippedProgram.PORT);

    private static final List<ShippedProgram> LARGE = List.of(
            ShippedProgram.DIRECT,
            ShippedProgram.SCRATCH,
            ShippedProgram.RING,
            ShippedProgram.PACKETS,
            ShippedProgram.TWO_LEVEL,
            ShippedProgram.PORT);

    /** One shot of a message that is too large for other packets. */
    private static final List<ShippedProgram> MEDIUM = beforeLarge(ShippedProgram.PACKETS_LL128);

    /** Two shots of an allreduce on several ranks. */
    private static final List<ShippedProgram> MEDIUM_SUM = beforeLarge(ShippedProgram.PACKETS_TWO_SHOT_LL128);

    private static final List<ShippedProgram> RELAYED = beforeLarge(ShippedProgram.RELAY);

    private static final List<ShippedProgram> STORED = beforeLarge(ShippedProgram.DIRECT_STORE);

    private static final List<ShippedProgram> AROUND = beforeLarge(ShippedProgram.RING);

    private static final List<ShippedProgram> SWITCHED = Stream.concat(
                    Stream.of(ShippedProgram.MULTICAST_DIRECT, ShippedProgram.MULTICAST), LARGE.stream())
            .toList();

    private static List<ShippedProgram> beforeLarge(ShippedProgram first) {
        return Stream.concat(Stream.of(first), LARGE.stream()).distinct().toList();
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
        if (collective == Collective.ALLREDUCE && messageBytes >= preference.leastSwitchBytes(ranks, direct)) {
            return SWITCHED;
        }
        if (collective == Collective.ALLREDUCE && ranks > 2 && messageBytes >= preference.leastRingBytes()) {
            return AROUND;
        }
        if (messageBytes >= preference.leastStoredBytes()
                && ShippedProgram.DIRECT_STORE.collectives().contains(collective)) {
            return STORED;
        }
        if (ranks > 2 && messageBytes >= leastRelayed(ranks)) {
            return RELAYED;
        }
        boolean mayBePackets = preference.packets().betweenTwo() || !(direct && ranks == 2);
        if (messageBytes <= mostPacketBytes(collective, ranks) && mayBePackets) {
            return SMALL;
        }
        return preference.hasLines() && messageBytes <= mostLineBytes(collective, ranks)
                ? sumsInTwoShots(collective, ranks) ? MEDIUM_SUM : MEDIUM
                : LARGE;
    }

    /** Whether an allreduce takes two shots: with two ranks, one shot sends as many bytes. */
    private static boolean sumsInTwoShots(Collective collective, int ranks) {
        return collective == Collective.ALLREDUCE && ranks > 2;
    }

    private long leastRelayed(int ranks) {
        return preference.leastRelayBytes() == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.ceilDiv(preference.leastRelayBytes(), Math.max(1, ranks - 1));
    }

    /**
     * Number of thread blocks of each rank.
     *
     * @param spec specification of the program; its number of blocks is ignored
     */
    public int blocks(ShippedProgram program, ProgramSpec spec, long messageBytes) {
        OptionalInt forPeers = program.blocksForPeers(spec);
        if (forPeers.isPresent() && messageBytes >= preference.leastKeptBytes()) {
            return forPeers.getAsInt() + Math.ceilDiv(KEEPERS_OF_TWO, spec.ranks() - 1);
        }
        return blocks(program, messageBytes, spec.ranks());
    }

    private int blocks(ShippedProgram program, long messageBytes, int ranks) {
        if (program == ShippedProgram.PACKETS) {
            return packetBlocks(messageBytes);
        }
        if (program.usesLines()) {
            return lineBlocks(messageBytes);
        }
        int blocks = 1;
        for (ProgramPreference.BlockStep step : preference.blockSteps()) {
            if (messageBytes >= start(step, ranks)) {
                blocks = step.blocks();
            }
        }
        return blocks;
    }

    /** The sizes from which {@link #order} or {@link #blocks} may return another value than below, ascending. */
    public List<Long> steps(int ranks) {
        List<Long> starts = new ArrayList<>(
                preference.blockSteps().stream().map(step -> start(step, ranks)).toList());
        for (Collective collective : Collective.values()) {
            starts.add(mostPacketBytes(collective, ranks) + 1);
            if (preference.hasLines()) {
                starts.add(mostLineBytes(collective, ranks) + 1);
            }
        }
        preference.table().steps(ranks).forEach(starts::add);
        packetSteps().forEach(starts::add);
        lineSteps().forEach(starts::add);
        LongStream.of(
                        leastRelayed(ranks),
                        preference.leastKeptBytes(),
                        preference.leastStoredBytes(),
                        preference.leastRingBytes(),
                        preference.leastSwitchBytes(ranks, true),
                        preference.leastSwitchBytes(ranks, false))
                .filter(bytes -> bytes < Long.MAX_VALUE)
                .forEach(starts::add);
        return starts.stream().sorted().distinct().toList();
    }

    private long mostPacketBytes(Collective collective, int ranks) {
        return mostBytes(preference.packets().mostBytes(), collective, ranks);
    }

    private long mostLineBytes(Collective collective, int ranks) {
        // two shots send less than twice the message, for any number of ranks
        long sent = preference.lines().mostBytes();
        return sumsInTwoShots(collective, ranks) ? sent : mostBytes(sent, collective, ranks);
    }

    /**
     * The largest message of a collective.
     *
     * @param sent the most bytes that a rank sends to all of its peers together
     */
    private long mostBytes(long sent, Collective collective, int ranks) {
        int peers = Math.max(1, ranks - 1);
        boolean parts = preference.packets().countsParts()
                && (collective.inputSlices(2) > 1 || collective == Collective.ALLGATHER);
        return parts ? sent * ranks / peers : sent / peers;
    }

    private int lineBlocks(long messageBytes) {
        ProgramPreference.LineUse lines = preference.lines();
        int blocks = 1;
        while (2 * blocks <= lines.mostBlocks() && messageBytes >= 2L * blocks * lines.bytesOfBlock()) {
            blocks *= 2; // few numbers: each has a kernel and a context of its own
        }
        return blocks;
    }

    private LongStream lineSteps() {
        ProgramPreference.LineUse lines = preference.lines();
        return LongStream.iterate(2, blocks -> blocks <= lines.mostBlocks(), blocks -> 2 * blocks)
                .map(blocks -> blocks * lines.bytesOfBlock());
    }

    private int packetBlocks(long messageBytes) {
        ProgramPreference.PacketUse packets = preference.packets();
        int blocks = 1;
        while (blocks < packets.mostBlocks() && messageBytes > blocks * packets.bytesOfBlock()) {
            blocks *= 2;
        }
        return blocks;
    }

    private LongStream packetSteps() {
        ProgramPreference.PacketUse packets = preference.packets();
        return LongStream.iterate(1, blocks -> blocks < packets.mostBlocks(), blocks -> 2 * blocks)
                .map(blocks -> blocks * packets.bytesOfBlock() + 1);
    }

    private static long start(ProgramPreference.BlockStep step, int ranks) {
        return Math.max(step.leastBytes(), ranks * step.leastBytesOfRank());
    }
}
