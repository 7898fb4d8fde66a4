package org.mscclj.plan.program;

import java.util.List;
import java.util.stream.Stream;

/**
 * Which shipped programs serve a message best: the sizes at which another program, or more of it, is better. Depends on nothing but its arguments, since ranks
 * that differed would wait for ever.
 */
public final class ProgramPreference {
    /** Most scratch of a program on each rank, in bytes: what one round moves should stay in the last-level cache. */
    public static final long SCRATCH_LIMIT = 4 << 20;

    /** Packets take twice the memory traffic and one hop: they pay while a rank sends few bytes, to all of its peers together. */
    private static final long MOST_PACKET_BYTES = 32 << 10;

    /** One block is best for latency; several let threads without other work help. */
    private static final long LEAST_BYTES_OF_SEVERAL_BLOCKS = 1 << 20;

    /** What a rank does for each of the others must be worth the signals of several blocks, whose number grows with the ranks. */
    private static final long LEAST_BYTES_OF_SEVERAL_BLOCKS_FOR_A_RANK = 256 << 10;

    private static final int SEVERAL_BLOCKS = 4;

    private static final List<ShippedProgram> SMALL = List.of(
            ShippedProgram.PACKETS,
            ShippedProgram.DIRECT,
            ShippedProgram.SCRATCH,
            ShippedProgram.TWO_LEVEL,
            ShippedProgram.PORT);

    private static final List<ShippedProgram> LARGE = List.of(
            ShippedProgram.DIRECT,
            ShippedProgram.SCRATCH,
            ShippedProgram.PACKETS,
            ShippedProgram.TWO_LEVEL,
            ShippedProgram.PORT);

    private ProgramPreference() {}

    /**
     * The programs that a communicator tries, best first. It takes the first that can be: whose peers can be mapped, and that needs no registered
     * buffers where there are none.
     *
     * <p>Packets are best for small messages, but never between two ranks that access each other's buffers: two signals take no longer than one way
     * of packets, and nothing is written twice.
     *
     * @param messageBytes size of the message: the output's for allgather, the input's otherwise
     * @param direct whether all ranks access each other's buffers
     */
    public static List<ShippedProgram> order(long messageBytes, int ranks, boolean direct) {
        return messageBytes <= mostPacketBytes(ranks) && !(direct && ranks == 2) ? SMALL : LARGE;
    }

    /** Thread blocks of each rank. */
    public static int blocks(ShippedProgram program, long messageBytes, int ranks) {
        return program != ShippedProgram.PACKETS && messageBytes >= leastBytesOfSeveralBlocks(ranks)
                ? SEVERAL_BLOCKS
                : 1;
    }

    /** The sizes from which on {@link #order} or {@link #blocks} may give something else than below, ascending. */
    public static List<Long> steps(int ranks) {
        return Stream.of(mostPacketBytes(ranks) + 1, leastBytesOfSeveralBlocks(ranks))
                .sorted()
                .distinct()
                .toList();
    }

    private static long leastBytesOfSeveralBlocks(int ranks) {
        return Math.max(LEAST_BYTES_OF_SEVERAL_BLOCKS, ranks * LEAST_BYTES_OF_SEVERAL_BLOCKS_FOR_A_RANK);
    }

    private static long mostPacketBytes(int ranks) {
        return MOST_PACKET_BYTES / Math.max(1, ranks - 1);
    }
}
