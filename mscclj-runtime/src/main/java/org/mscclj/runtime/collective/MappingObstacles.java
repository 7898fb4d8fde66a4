package org.mscclj.runtime.collective;

import java.util.Optional;
import org.mscclj.plan.program.MappedPeers;

/**
 * Why ranks cannot map each other's memory, in words that are equal on all ranks; empty if they can.
 *
 * @param all of all ranks
 * @param sameNode of the ranks of each node
 */
record MappingObstacles(Optional<String> all, Optional<String> sameNode) {
    /** What is in the way of mapping these peers. */
    Optional<String> of(MappedPeers peers) {
        return switch (peers) {
            case ALL -> all;
            case SAME_NODE -> sameNode;
            case NONE -> Optional.empty();
        };
    }
}
