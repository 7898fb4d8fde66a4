package org.mscclj.cli.options;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Option;

/** The option {@code --ranks-per-node}. */
public final class NodeOption {
    @Option(
            names = "--ranks-per-node",
            paramLabel = "M",
            description = "Distribute the ranks over nodes, M on each. Default: one node.")
    private Optional<Integer> given = Optional.empty();

    /** Called by picocli. */
    public NodeOption() {}

    /**
     * Returns the number of ranks on each node, if it is given.
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
