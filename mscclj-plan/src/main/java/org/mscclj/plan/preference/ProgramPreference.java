package org.mscclj.plan.preference;

import java.util.List;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.fusion.Move;

/**
 * The best shipped programs for a kind of machine: the sizes from which another program, or more blocks, are better.
 * Depends on its arguments only, because ranks with different choices would deadlock.
 *
 * @param scratchLimit greatest scratch of a program on each rank, in bytes
 * @param mostOperands the most operands of an operation that the device takes
 * @param packets when packets are better
 * @param lines when packets in lines of 128 bytes are better, for messages that are too large for other packets
 * @param leastRelayBytes bytes that the root must send in total before a relay is better. A relay takes more steps than
 *     sends from the root
 * @param leastKeptBytes message size from which dedicated blocks copy a rank's own part where ranks read from all
 *     others
 * @param leastStoredBytes message size from which ranks store into all others, rather than read from all
 * @param leastRingBytes message size from which an allreduce goes around a ring, rather than between all pairs of ranks
 * @param switches whether a switch between the devices reduces and stores for all of them
 * @param blockSteps the numbers of thread blocks, ascending
 * @param table the measured choices; where it has a row, the thresholds do not count
 */
public record ProgramPreference(
        long scratchLimit,
        int mostOperands,
        PacketUse packets,
        LineUse lines,
        long leastRelayBytes,
        long leastKeptBytes,
        long leastStoredBytes,
        long leastRingBytes,
        boolean switches,
        List<BlockStep> blockSteps,
        SelectionTable table) {
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
            long mostBytes, long bytesOfBlock, int mostBlocks, boolean betweenTwo, boolean countsParts) {}

    /**
     * When packets in lines of 128 bytes are better, which have nearly no more memory traffic than plain data.
     *
     * @param mostBytes greatest number of bytes that a rank sends to all of its peers together; 0 for never
     * @param bytesOfBlock bytes of a message for each block
     * @param mostBlocks greatest number of blocks
     */
    public record LineUse(long mostBytes, long bytesOfBlock, int mostBlocks) {
        /** The environment variable that switches lines off: 1 or 0. Equal on all ranks. */
        public static final String VARIABLE = "MSCCLJ_LL128";

        /** Lines are never better. */
        public static final LineUse NEVER = new LineUse(0, Long.MAX_VALUE, 1);
    }

    /**
     * A number of blocks from a message size on.
     *
     * @param blocks thread blocks of each rank
     * @param leastBytes least message size in bytes
     * @param leastBytesOfRank least part of it for each rank, in bytes
     */
    public record BlockStep(int blocks, long leastBytes, long leastBytesOfRank) {}

    private static final long RING_BYTES = 1 << 20;

    private static final int FEW_RANKS = 4;
    private static final int MANY_RANKS = 8;
    private static final SwitchBytes OF_FEW = new SwitchBytes(2 << 20, 16 << 20);
    private static final SwitchBytes OF_MANY = new SwitchBytes(256 << 10, 4 << 20);

    private record SwitchBytes(long registered, long plain) {}

    /**
     * Processors, whose ranks share few cores. The data of one round should fit the last-level cache. One block has the
     * least latency. Several blocks let idle threads help, but the work for each peer must outweigh its signals, whose
     * number grows with the ranks.
     */
    public static final ProgramPreference HOST = new ProgramPreference(
            4 << 20,
            Integer.MAX_VALUE,
            new PacketUse(32 << 10, Long.MAX_VALUE, 1, false, false),
            LineUse.NEVER,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            false,
            List.of(new BlockStep(4, 1 << 20, 256 << 10)),
            SelectionTable.EMPTY);

    /** GPUs: as many blocks as have a few vectors for each thread. */
    public static final ProgramPreference GPU = new ProgramPreference(
            16 << 20,
            Move.MAX_OPERANDS,
            new PacketUse(128 << 10, 2 << 10, 32, true, true),
            new LineUse(1 << 20, 4 << 10, 128),
            12 << 20,
            32 << 20,
            16 << 20,
            Long.MAX_VALUE,
            false,
            List.of(
                    new BlockStep(2, 0, 16 << 10),
                    new BlockStep(4, 0, 32 << 10),
                    new BlockStep(8, 0, 64 << 10),
                    new BlockStep(16, 0, 128 << 10),
                    new BlockStep(32, 0, 256 << 10),
                    new BlockStep(64, 0, 1 << 20)),
            LinkedGpus.TABLE);

    /** Returns this preference for devices that cannot send lines as a whole, for which nothing was measured. */
    public ProgramPreference withoutLines() {
        return copy(scratchLimit, LineUse.NEVER, leastRingBytes, SelectionTable.EMPTY);
    }

    /** Returns whether the device sends packets of some messages as lines. */
    public boolean hasLines() {
        return lines.mostBytes() > 0;
    }

    /**
     * Returns this preference for devices whose links serve a ring better than all pairs. The size is chosen, not
     * measured: below it the steps of a ring take longer than its bytes.
     */
    public ProgramPreference withRings() {
        return copy(scratchLimit, lines, RING_BYTES, table);
    }

    /** Returns whether large allreduces go around a ring. */
    public boolean hasRings() {
        return leastRingBytes < Long.MAX_VALUE;
    }

    /** Returns this preference with another limit of scratch. */
    public ProgramPreference withScratchLimit(long bytes) {
        return copy(bytes, lines, leastRingBytes, table);
    }

    /**
     * Returns this preference with more measured choices, which replace those that it has for the same calls.
     *
     * @param added the choices; where they leave calls to the communicator, the ones before remain
     */
    public ProgramPreference with(SelectionTable added) {
        return copy(scratchLimit, lines, leastRingBytes, added.over(table));
    }

    /**
     * Returns this preference for devices whose switch reduces and stores for all of them. The measured choices that it
     * has do not know the switch.
     */
    public ProgramPreference withSwitch() {
        ProgramPreference switched = copy(scratchLimit, lines, leastRingBytes, true, table);
        return switched.copy(
                scratchLimit,
                lines,
                leastRingBytes,
                table.below(Collective.ALLREDUCE, row -> switched.leastSwitchBytes(row.ranks(), row.registered())));
    }

    /**
     * The message size from which an allreduce by a switch is faster; none where no switch reduces, and for two or
     * three ranks. The sizes are predicted by the simulator, not measured: the more ranks there are, the more bytes a
     * switch saves.
     *
     * @param registered whether the switch accesses the buffers themselves; otherwise data are copied through scratch
     */
    public long leastSwitchBytes(int ranks, boolean registered) {
        if (!switches || ranks < FEW_RANKS) {
            return Long.MAX_VALUE;
        }
        SwitchBytes least = ranks < MANY_RANKS ? OF_FEW : OF_MANY;
        return registered ? least.registered() : least.plain();
    }

    private ProgramPreference copy(long scratch, LineUse use, long ringBytes, SelectionTable measured) {
        return copy(scratch, use, ringBytes, switches, measured);
    }

    private ProgramPreference copy(
            long scratch, LineUse use, long ringBytes, boolean bySwitch, SelectionTable measured) {
        return new ProgramPreference(
                scratch,
                mostOperands,
                packets,
                use,
                leastRelayBytes,
                leastKeptBytes,
                leastStoredBytes,
                ringBytes,
                bySwitch,
                blockSteps,
                measured);
    }

    /** Copies the list. */
    public ProgramPreference {
        blockSteps = List.copyOf(blockSteps);
    }
}
