package org.mscclj.plan.program;

import java.util.Optional;

/**
 * Why ranks cannot map each other's memory, in words that are equal on all ranks; empty if they can.
 *
 * @param all of all ranks
 * @param sameNode of the ranks of each node
 */
public record MappingObstacles(Optional<String> all, Optional<String> sameNode) {
    /** Every rank can map the memory of all others. */
    public static final MappingObstacles NONE = new MappingObstacles(Optional.empty(), Optional.empty());

    /** What is in the way of mapping these peers. */
    public Optional<String> of(MappedPeers peers) {
        return switch (peers) {
            case ALL -> all;
            case SAME_NODE -> sameNode;
            case NONE -> Optional.empty();
        };
    }
}
