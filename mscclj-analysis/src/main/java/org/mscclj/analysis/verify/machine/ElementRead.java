package org.mscclj.analysis.verify.machine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The read of an element to compute a packet from it, or the read of a packet. A read of the computed packet happens
 * after this read, and so does every access that happens after that later read.
 */
final class ElementRead {
    private final int agent;
    private final int step;
    private final List<ElementRead> later = new ArrayList<>();

    ElementRead(int agent, int step) {
        this.agent = agent;
        this.step = step;
    }

    int agent() {
        return agent;
    }

    int step() {
        return step;
    }

    void followedBy(ElementRead read) {
        later.add(read);
    }

    /** Whether this read happens before the next access of an agent. */
    boolean happensBefore(Agent other) {
        if (directlyPrecedes(other)) {
            return true;
        }
        if (later.isEmpty()) {
            return false;
        }
        Set<ElementRead> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<ElementRead> open = new ArrayDeque<>(later);
        while (!open.isEmpty()) {
            ElementRead read = open.pop();
            if (read.directlyPrecedes(other)) {
                return true;
            }
            if (seen.add(read)) {
                open.addAll(read.later);
            }
        }
        return false;
    }

    private boolean directlyPrecedes(Agent other) {
        return other.isAfterRead(agent, step) || other.isComputingFrom(this);
    }
}
