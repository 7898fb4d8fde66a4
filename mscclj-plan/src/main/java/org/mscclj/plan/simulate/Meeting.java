package org.mscclj.plan.simulate;

import java.util.ArrayList;
import java.util.List;

/** A barrier of a rank, at which blocks meet again and again. */
final class Meeting {
    private final int id;
    private final List<BlockRun> come = new ArrayList<>();

    Meeting(int id) {
        this.id = id;
    }

    int id() {
        return id;
    }

    /** How many have come and wait. */
    int come() {
        return come.size();
    }

    /**
     * A block comes. The last one lets the others go on.
     *
     * @param expected how many meet
     * @param cost nanoseconds until those who waited go on
     * @return whether it is the last
     */
    boolean arrive(BlockRun block, int expected, double cost) {
        if (come.size() + 1 < expected) {
            come.add(block);
            return false;
        }
        List<BlockRun> others = List.copyOf(come);
        come.clear();
        for (BlockRun other : others) {
            other.dependsOn(block.before(), Dependency.Kind.BARRIER);
            other.resume(block.before(), cost);
        }
        return true;
    }
}
