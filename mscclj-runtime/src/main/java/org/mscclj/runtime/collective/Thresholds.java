package org.mscclj.runtime.collective;

import org.mscclj.plan.program.ShippedProgram;

/** The sizes at which another program, or more of it, is better. Equal on all ranks, since ranks that differ would wait for ever. */
final class Thresholds {
    /** Packets take twice the memory traffic and one hop: they pay while a rank sends few bytes, to all of its peers together. */
    private static final long MOST_PACKET_BYTES = 32 << 10;

    /** One block is best for latency; several let threads without other work help. */
    private static final long LEAST_BYTES_OF_SEVERAL_BLOCKS = 1 << 20;

    private static final int SEVERAL_BLOCKS = 4;

    /** Scratch of a context, on each rank: what one round moves should stay in the last-level cache. */
    static final long MOST_SCRATCH_BYTES = 4 << 20;

    private Thresholds() {}

    /**
     * Whether packets are best. Between two ranks that access each other's buffers they never are: two signals take no longer than one way of
     * packets, and nothing is written twice.
     *
     * @param direct whether ranks access each other's buffers
     */
    static boolean isSmall(long messageBytes, int ranks, boolean direct) {
        return messageBytes <= MOST_PACKET_BYTES / Math.max(1, ranks - 1) && !(direct && ranks == 2);
    }

    static int blocks(ShippedProgram program, long messageBytes) {
        return program != ShippedProgram.PACKETS && messageBytes >= LEAST_BYTES_OF_SEVERAL_BLOCKS ? SEVERAL_BLOCKS : 1;
    }
}
