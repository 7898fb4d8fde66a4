package org.mscclj.analysis.simulate;

import java.util.ArrayList;
import java.util.List;

/** A barrier of a rank, which its blocks use repeatedly. */
final class BlockSync {
    private final int id;
    private final List<BlockRun> arrived = new ArrayList<>();

    BlockSync(int id) {
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
    boolean arrive(BlockRun block, int expected, double cost) {
        if (arrived.size() + 1 < expected) {
            arrived.add(block);
            return false;
        }
        List<BlockRun> others = List.copyOf(arrived);
        arrived.clear();
        for (BlockRun other : others) {
            other.dependsOn(block.before(), Dependency.Kind.BARRIER);
            other.resume(block.before(), cost);
        }
        return true;
    }
}
