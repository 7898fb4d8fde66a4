package org.mscclj.runtime.communicator;

import java.util.List;

/** Creates the meeting of the remaining ranks of a communicator, also after that communicator has ended. */
@FunctionalInterface
public interface Shrinker {
    /**
     * Creates this rank's part of a meeting. Waits for no other rank.
     *
     * @param members the remaining ranks, in the communicator's order
     * @param rank this rank in the communicator
     */
    Meeting meet(List<Integer> members, int rank);
}
