package org.mscclj.cli.plan;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Option;

/** {@code --ranks} and {@code --ranks-per-node} of what is made or listed for a world. */
final class WorldOptions {
    /**
     * A world.
     *
     * @param ranks number of ranks
     * @param ranksPerNode ranks on each node, a divisor of it
     */
    record World(int ranks, int ranksPerNode) {
        @Override
        public String toString() {
            return ranks + " ranks, " + ranksPerNode + " on each node";
        }
    }

    /** The plans of most programs grow with the square of the ranks: of more, no file would end up in memory. */
    private static final int MOST_RANKS = 4096;

    @Option(names = "--ranks", paramLabel = "N", description = "Number of ranks.")
    private Optional<Integer> ranks = Optional.empty();

    @Option(names = "--ranks-per-node", paramLabel = "M", description = "Ranks on each node. Default: all on one.")
    private Optional<Integer> ranksPerNode = Optional.empty();

    WorldOptions() {}

    /**
     * The world that is given.
     *
     * @throws InvalidArgumentException if there is none like that, or if it is not given
     */
    World required() {
        return world(
                ranks.orElseThrow(() -> new InvalidArgumentException("--ranks is missing; say for how many ranks")));
    }

    /**
     * The world that is given, of so many ranks unless that is.
     *
     * @throws InvalidArgumentException if there is none like that
     */
    World or(int usualRanks) {
        return world(ranks.orElse(usualRanks));
    }

    private World world(int count) {
        if (count < 1 || count > MOST_RANKS) {
            throw InvalidArgumentException.of("--ranks", count, "1 to " + MOST_RANKS);
        }
        int perNode = ranksPerNode.orElse(count);
        if (perNode < 1 || count % perNode != 0) {
            throw InvalidArgumentException.of("--ranks-per-node", perNode, "a divisor of " + count);
        }
        return new World(count, perNode);
    }
}
