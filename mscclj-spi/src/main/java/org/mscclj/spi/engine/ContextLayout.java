package org.mscclj.spi.engine;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.ChannelPairing;

/**
 * The layout of a rank's scratch and counters, which is equal for every engine, so that peers find them.
 *
 * <p><b>Scratch</b>, in bytes: one or two halves, each of {@code scratchChunks} slots of {@code slotBytes} payload
 * bytes; in packet plans everything is twice as large, since half of every packet is flags.
 *
 * <p><b>Counters</b>, 64 bits each, each on a line of its own so that ranks avoid false sharing:
 *
 * <pre>
 * line 0                    launches that this rank has started
 * line 1                    launches that this rank has finished
 * line 2                    arrivals of peers at the barrier where packet flags wrap
 * line 3                    arrivals at that barrier of peers whose memory is not mapped
 * line 4 …                  inbound counters of memory channels, anonymous ones last
 * then                      inbound counters of port channels, anonymous ones last
 * </pre>
 *
 * @param scratchBytes size of this rank's scratch
 * @param counterBytes size of this rank's counters
 * @param memoryCounters inbound counters of memory channels
 * @param portCounters inbound counters of port channels
 */
public record ContextLayout(long scratchBytes, long counterBytes, int memoryCounters, int portCounters) {
    /** Distance between counters, in bytes: two cache lines, because CPUs fetch neighbouring lines in pairs. */
    public static final int COUNTER_STRIDE = 128;

    /** Offset of the count of launches started, in bytes. */
    public static final long STARTED = 0;

    /** Offset of the count of launches finished, in bytes. */
    public static final long FINISHED = COUNTER_STRIDE;

    /** Offset of the count of arrivals at the barrier where packet flags wrap, of mapped peers, in bytes. */
    public static final long ARRIVALS = 2L * COUNTER_STRIDE;

    /**
     * Offset of the count of arrivals of the other peers, in bytes. Transports raise it, and some of them must be the
     * only writer of a counter.
     */
    public static final long ARRIVALS_BY_PORT = 3L * COUNTER_STRIDE;

    private static final int FIRST_CHANNEL = 4;

    /** The layout of a rank. */
    public static ContextLayout of(
            Plan plan, ChannelPairing memoryPairing, ChannelPairing portPairing, int rank, long slotBytes) {
        int memory = memoryPairing.slots(rank);
        int port = portPairing.slots(rank);
        return new ContextLayout(
                Math.multiplyExact(halfBytes(plan, rank, slotBytes), plan.doubleScratch() ? 2L : 1L),
                (long) (FIRST_CHANNEL + memory + port) * COUNTER_STRIDE,
                memory,
                port);
    }

    /** Bytes of one half of a rank's scratch, flags of packets included. */
    public static long halfBytes(Plan plan, int rank, long slotBytes) {
        long payload = Math.multiplyExact((long) plan.ranks().get(rank).scratchChunks(), slotBytes);
        return Math.multiplyExact(payload, (long) plan.protocol().scratchFactor());
    }

    /** Offset of an inbound counter in this rank's counters, in bytes. */
    public long counterOffset(ChannelType type, int slot) {
        int limit = type == ChannelType.MEMORY ? memoryCounters : portCounters;
        if (type == ChannelType.SWITCH || slot < 0 || slot >= limit) {
            throw InvalidArgumentException.of("counter slot", slot + " of " + type.label(), "0 to " + (limit - 1));
        }
        int before = type == ChannelType.MEMORY ? 0 : memoryCounters;
        return (long) (FIRST_CHANNEL + before + slot) * COUNTER_STRIDE;
    }
}
