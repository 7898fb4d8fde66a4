package org.mscclj.analysis.simulate;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.analysis.simulate.timeline.Dependency;

/** A barrier of a rank, which its blocks use repeatedly. */
final class SimulatedBarrier {
    private final int id;
    private final List<SimulatedBlock> arrived = new ArrayList<>();

    SimulatedBarrier(int id) {
        this.id = id;
    }

    int id() {
        return id;
    }

    /** Number of blocks that have arrived and wait. */
    int arrived() {
        return arrived.size();
    }

    /**
     * Registers the arrival of a block. The last block releases the others.
     *
     * @param expected number of blocks that the barrier expects
     * @param cost nanoseconds until the waiting blocks continue
     * @return whether this block is the last
     */
    boolean arrive(SimulatedBlock block, int expected, double cost) {
        if (arrived.size() + 1 < expected) {
            arrived.add(block);
            return false;
        }
        List<SimulatedBlock> others = List.copyOf(arrived);
        arrived.clear();
        for (SimulatedBlock other : others) {
            other.dependsOn(block.before(), Dependency.Kind.BARRIER);
            other.resume(block.before(), cost);
        }
        return true;
    }
}
