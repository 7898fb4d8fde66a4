package org.mscclj.cli.options;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Option;

/** {@code --ranks-per-node}. */
public final class NodeOption {
    @Option(
            names = "--ranks-per-node",
            paramLabel = "M",
            description = "Treat ranks as if on different nodes, M on each. Default: all on one.")
    private Optional<Integer> given = Optional.empty();

    /** For picocli. */
    public NodeOption() {}

    /**
     * Ranks on each node, if that is given.
     *
     * @throws InvalidArgumentException if it does not divide the number of ranks
     */
    public Optional<Integer> ranksPerNode(int ranks) {
        return given.map(perNode -> {
            if (perNode < 1 || ranks % perNode != 0) {
                throw InvalidArgumentException.of("--ranks-per-node", perNode, "a divisor of " + ranks);
            }
            return perNode;
        });
    }
}
