package org.mscclj.runtime.communicator;

import java.util.List;

/** Lets those who are left of a communicator meet, whatever has become of it. */
@FunctionalInterface
public interface Shrinker {
    /**
     * This rank's part in a meeting. Waits for nobody.
     *
     * @param members the ranks that are left, in the communicator's order
     * @param rank this rank in the communicator
     */
    Meeting meet(List<Integer> members, int rank);
}
