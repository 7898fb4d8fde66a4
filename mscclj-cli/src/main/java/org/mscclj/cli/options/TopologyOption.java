package org.mscclj.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.analysis.simulate.topology.TopologyReader;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Option;

/** The options {@code --topology} and {@code --ranks-per-node}: the simulated machines. */
public final class TopologyOption {
    private static final int RANKS_OF_A_PRESET = 8;

    @Option(
            names = "--topology",
            paramLabel = "PRESET|FILE",
            description = "The topology to simulate: " + Presets.NAMES
                    + ", or a file that mscclj simulate --write has written. Default: as many nodes of"
                    + " 8 H200 as are needed.")
    private Optional<String> given = Optional.empty();

    @Option(
            names = "--ranks-per-node",
            paramLabel = "M",
            description = "Use only M ranks of each node of the topology. Default: all.")
    private Optional<Integer> ranksPerNode = Optional.empty();

    /** Called by picocli. */
    public TopologyOption() {}

    /** Whether one of the options is given. */
    public boolean isGiven() {
        return given.isPresent() || ranksPerNode.isPresent();
    }

    /**
     * Returns the topology.
     *
     * @param ranks number of ranks that it must have
     * @throws InvalidArgumentException if there is no such topology, the file is invalid, or it has too few ranks
     */
    public Topology topology(int ranks) {
        Topology machine = given.map(TopologyOption::named).orElseGet(() -> usual(ranks));
        Topology used = ranksPerNode.map(machine::withRanksPerNode).orElse(machine);
        if (ranks > used.ranks()) {
            throw new InvalidArgumentException("there are " + ranks + " ranks, and topology " + used.label() + " has "
                    + used.ranks() + " (" + used.ranksPerNode()
                    + " on each node); choose a larger one by --topology");
        }
        return used;
    }

    /**
     * Returns the topology with any number of ranks: one node of 8 H200 by default.
     *
     * @throws InvalidArgumentException if there is no such topology, or the file is invalid
     */
    public Topology machine() {
        Topology machine = given.map(TopologyOption::named).orElseGet(() -> named("h200x8"));
        return ranksPerNode.map(machine::withRanksPerNode).orElse(machine);
    }

    private static Topology named(String name) {
        return Presets.find(name).orElseGet(() -> {
            Path file = Path.of(name);
            if (!Files.exists(file)) {
                throw InvalidArgumentException.of("--topology", name, Presets.NAMES + ", or the file of a topology");
            }
            return TopologyReader.read(file);
        });
    }

    private Topology usual(int ranks) {
        int perNode = Math.clamp(ranksPerNode.orElse(RANKS_OF_A_PRESET), 1, RANKS_OF_A_PRESET);
        int nodes = Math.ceilDiv(ranks, perNode);
        if (nodes > Presets.MAX_NODES) {
            throw new InvalidArgumentException(
                    "there are " + ranks + " ranks, which take " + nodes + " nodes of " + perNode
                            + "; presets have at most " + Presets.MAX_NODES
                            + "; write a topology by mscclj simulate --write, change its nodes, and name it by"
                            + " --topology");
        }
        return named(nodes == 1 ? "h200x8" : "h200x8-nodes:" + nodes);
    }
}
