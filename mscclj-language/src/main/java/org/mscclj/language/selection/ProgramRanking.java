package org.mscclj.language.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
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
        boolean mayBePackets = preference.packets().betweenTwo() || !(direct && ranks == 2);
        return messageBytes <= mostPacketBytes(collective, ranks) && mayBePackets ? SMALL : LARGE;
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
        }
        packetSteps().forEach(starts::add);
        LongStream.of(leastRelayed(ranks), preference.leastKeptBytes())
                .filter(bytes -> bytes < Long.MAX_VALUE)
                .forEach(starts::add);
        return starts.stream().sorted().distinct().toList();
    }

    private long mostPacketBytes(Collective collective, int ranks) {
        ProgramPreference.PacketUse packets = preference.packets();
        int peers = Math.max(1, ranks - 1);
        boolean parts = packets.countsParts() && (collective.inputSlices(2) > 1 || collective == Collective.ALLGATHER);
        return parts ? packets.mostBytes() * ranks / peers : packets.mostBytes() / peers;
    }

    private int packetBlocks(long messageBytes) {
        ProgramPreference.PacketUse packets = preference.packets();
        return Math.clamp(Math.ceilDiv(messageBytes, packets.bytesOfBlock()), 1, packets.mostBlocks());
    }

    private LongStream packetSteps() {
        ProgramPreference.PacketUse packets = preference.packets();
        return LongStream.range(1, packets.mostBlocks()).map(blocks -> blocks * packets.bytesOfBlock() + 1);
    }

    private static long start(ProgramPreference.BlockStep step, int ranks) {
        return Math.max(step.leastBytes(), ranks * step.leastBytesOfRank());
    }
}
