package org.mscclj.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.json.TopologyReader;
import org.mscclj.plan.simulate.topology.Presets;
import org.mscclj.plan.simulate.topology.Topology;
import picocli.CommandLine.Option;

/** {@code --topology} and {@code --ranks-per-node}: what plans are simulated on. */
public final class TopologyOption {
    private static final int RANKS_OF_A_PRESET = 8;

    @Option(
            names = "--topology",
            paramLabel = "PRESET|FILE",
            description = "What to simulate on: " + Presets.NAMES
                    + ", or a file that mscclj simulate --write has written. Default: as many nodes of"
                    + " 8 H200 as are needed.")
    private Optional<String> given = Optional.empty();

    @Option(
            names = "--ranks-per-node",
            paramLabel = "M",
            description = "Use only M ranks of each node of the topology. Default: all that it has.")
    private Optional<Integer> ranksPerNode = Optional.empty();

    /** For picocli. */
    public TopologyOption() {}

    /** Whether any of the options stands on the command line. */
    public boolean isGiven() {
        return given.isPresent() || ranksPerNode.isPresent();
    }

    /**
     * The topology.
     *
     * @param ranks how many it must have
     * @throws InvalidArgumentException if there is none of the name, the file is none, or it has fewer ranks
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
     * The topology, whatever its ranks: that of one node of 8 H200 unless one is named.
     *
     * @throws InvalidArgumentException if there is none of the name, or the file is none
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
