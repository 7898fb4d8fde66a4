package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * An element that an operation computes from packets: what the packets tell orders the writes of this element, before
 * the threads meet.
 */
final class Element {
    private final List<ElementRead> reads = new ArrayList<>();
    private final List<Knowledge> begins = new ArrayList<>();
    private final List<Knowledge> told = new ArrayList<>();

    /** Reads of which the packets that are computed are an answer. */
    List<ElementRead> reads() {
        return reads;
    }

    void read(ElementRead read) {
        reads.add(read);
    }

    /**
     * A packet was read.
     *
     * @param begin what preceded its writer's launch
     * @param known what its writer could tell
     */
    void follows(Knowledge begin, Knowledge known) {
        begins.add(begin);
        told.add(known);
    }

    /** What preceded the launches of the packets' writers. */
    List<Knowledge> begins() {
        return begins;
    }

    /** What the packets' writers could tell. */
    List<Knowledge> told() {
        return told;
    }

    /** Whether a step of an agent precedes the launch of a packet's writer. */
    boolean precedes(int agent, int step) {
        return begins.stream().anyMatch(begin -> begin.full(agent) >= step);
    }

    /** Whether the reads of a step of an agent precede a packet. */
    boolean readsPrecede(int agent, int step) {
        return precedes(agent, step) || told.stream().anyMatch(known -> known.reads(agent) >= step);
    }
}
