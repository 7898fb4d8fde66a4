package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.analysis.verify.order.VectorClock;

/**
 * An element that an operation computes from packets. What the packets release orders the writes of this element before
 * the next synchronisation of the threads.
 */
final class Element {
    private final List<ElementRead> reads = new ArrayList<>();
    private final List<VectorClock> begins = new ArrayList<>();
    private final List<VectorClock> released = new ArrayList<>();

    /** Reads that the packets of this element answer. */
    List<ElementRead> reads() {
        return reads;
    }

    void read(ElementRead read) {
        reads.add(read);
    }

    /**
     * Adds a packet that this element was computed from.
     *
     * @param begin clock before the launch of the packet's writer
     * @param clock clock that the packet's writer released
     */
    void follows(VectorClock begin, VectorClock clock) {
        begins.add(begin);
        released.add(clock);
    }

    /** The clocks before the launches of the packets' writers. */
    List<VectorClock> begins() {
        return begins;
    }

    /** The clocks that the packets' writers released. */
    List<VectorClock> released() {
        return released;
    }

    /** Whether a step of an agent precedes the launch of a packet's writer. */
    boolean precedes(int agent, int step) {
        return begins.stream().anyMatch(begin -> begin.full(agent) >= step);
    }

    /** Whether the reads in a step of an agent precede a packet. */
    boolean readsPrecede(int agent, int step) {
        return precedes(agent, step) || released.stream().anyMatch(clock -> clock.reads(agent) >= step);
    }
}
