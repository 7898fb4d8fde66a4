package org.mscclj.plan.verify;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Somebody read an element to compute a packet, or read a packet. Whoever has read a packet that was computed from it
 * knows that the read is done, and so does whoever knows of that later read.
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

    /** Whether somebody knows that the read is done. */
    boolean isKnownTo(Agent somebody) {
        if (isToldTo(somebody)) {
            return true;
        }
        if (later.isEmpty()) {
            return false;
        }
        Set<ElementRead> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<ElementRead> open = new ArrayDeque<>(later);
        while (!open.isEmpty()) {
            ElementRead read = open.pop();
            if (read.isToldTo(somebody)) {
                return true;
            }
            if (seen.add(read)) {
                open.addAll(read.later);
            }
        }
        return false;
    }

    private boolean isToldTo(Agent somebody) {
        return somebody.knowsRead(agent, step) || somebody.isComputingFrom(this);
    }
}
