package org.mscclj.language.selection;

import java.util.Optional;
import org.mscclj.language.program.MappedPeers;

/**
 * The reasons why ranks cannot map each other's memory, as text that is equal on all ranks; empty if they can.
 *
 * @param all the obstacle between all ranks
 * @param sameNode the obstacle between ranks of each node
 */
public record MappingObstacles(Optional<String> all, Optional<String> sameNode) {
    /** Every rank can map the memory of all others. */
    public static final MappingObstacles NONE = new MappingObstacles(Optional.empty(), Optional.empty());

    /** The obstacle to mapping these peers. */
    public Optional<String> of(MappedPeers peers) {
        return switch (peers) {
            case ALL -> all;
            case SAME_NODE -> sameNode;
            case NONE -> Optional.empty();
        };
    }
}
