package org.mscclj.cli.plan;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Option;

/** The options {@code --ranks} and {@code --ranks-per-node} of commands that create or list plans for a world. */
final class WorldOptions {
    /**
     * A number of ranks on a number of nodes.
     *
     * @param ranks number of ranks
     * @param ranksPerNode ranks on each node, a divisor of the number of ranks
     */
    record World(int ranks, int ranksPerNode) {
        @Override
        public String toString() {
            return ranks + " ranks, " + ranksPerNode + " on each node";
        }
    }

    /**
     * Maximum number of ranks: the plans of most programs grow with the square of the ranks, and larger ones do not fit
     * into memory.
     */
    private static final int MAX_RANKS = 4096;

    @Option(names = "--ranks", paramLabel = "N", description = "Number of ranks.")
    private Optional<Integer> ranks = Optional.empty();

    @Option(names = "--ranks-per-node", paramLabel = "M", description = "Ranks on each node. Default: all on one.")
    private Optional<Integer> ranksPerNode = Optional.empty();

    WorldOptions() {}

    /**
     * Returns the given world.
     *
     * @throws InvalidArgumentException if it is missing or invalid
     */
    World required() {
        return world(
                ranks.orElseThrow(() -> new InvalidArgumentException("--ranks is missing; say for how many ranks")));
    }

    /**
     * Returns the given world, or a default number of ranks.
     *
     * @throws InvalidArgumentException if it is invalid
     */
    World or(int usualRanks) {
        return world(ranks.orElse(usualRanks));
    }

    private World world(int count) {
        if (count < 1 || count > MAX_RANKS) {
            throw InvalidArgumentException.of("--ranks", count, "1 to " + MAX_RANKS);
        }
        int perNode = ranksPerNode.orElse(count);
        if (perNode < 1 || count % perNode != 0) {
            throw InvalidArgumentException.of("--ranks-per-node", perNode, "a divisor of " + count);
        }
        return new World(count, perNode);
    }
}
