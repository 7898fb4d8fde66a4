package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * Somebody read an element to compute a packet, or read a packet. Whoever has read a packet that was computed from it knows that the read is
 * done, and so does whoever knows of that later read.
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
        if (somebody.knowsRead(agent, step) || somebody.isComputingFrom(this)) {
            return true;
        }
        for (ElementRead read : later) {
            if (read.isKnownTo(somebody)) {
                return true;
            }
        }
        return false;
    }
}
