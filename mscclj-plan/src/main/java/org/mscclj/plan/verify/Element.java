package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;

/** An element that an operation computes from packets: what the packets tell orders the writes of this element, before the threads meet. */
final class Element {
    private final List<ElementRead> reads = new ArrayList<>();
    private final List<Knowledge> begins = new ArrayList<>();

    /** Reads of which the packets that are computed are an answer. */
    List<ElementRead> reads() {
        return reads;
    }

    void read(ElementRead read) {
        reads.add(read);
    }

    /** A packet was read: what preceded its writer's launch is known. */
    void follows(Knowledge begin) {
        begins.add(begin);
    }

    /** Whether a step of an agent precedes the launch of a packet's writer. */
    boolean precedes(int agent, int step) {
        return begins.stream().anyMatch(begin -> begin.full(agent) >= step);
    }
}
