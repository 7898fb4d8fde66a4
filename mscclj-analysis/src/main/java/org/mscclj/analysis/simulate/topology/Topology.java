package org.mscclj.analysis.simulate.topology;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.preference.ProgramPreference;

/**
 * A machine for simulations: equal nodes, whose ranks are numbered node by node.
 *
 * @param name name for reports
 * @param nodes number of nodes
 * @param ranksPerNode ranks on each node
 * @param fabric connection of the ranks of a node
 * @param rails connection of nodes; empty only if there is one node
 * @param costs costs of operations
 */
public record Topology(String name, int nodes, int ranksPerNode, Fabric fabric, Optional<Rails> rails, Costs costs) {
    /** Greatest number of ranks of a topology. */
    public static final int MAX_RANKS = 1 << 20;

    /** Checks the numbers. */
    public Topology {
        if (nodes < 1) {
            throw InvalidArgumentException.of("nodes", nodes, "1 or more");
        }
        if (ranksPerNode < 1) {
            throw InvalidArgumentException.of("ranks_per_node", ranksPerNode, "1 or more");
        }
        if ((long) nodes * ranksPerNode > MAX_RANKS) {
            throw InvalidArgumentException.of(
                    "nodes times ranks_per_node", (long) nodes * ranksPerNode, "at most " + MAX_RANKS);
        }
        if (nodes > 1 && rails.isEmpty()) {
            throw new InvalidArgumentException("topology " + PlainText.brief(name) + " has " + nodes
                    + " nodes and no rails; describe the connection of the nodes in rails");
        }
    }

    /** The name for messages and tables: in one line, without control characters, and shortened. */
    public String label() {
        return PlainText.brief(name);
    }

    /**
     * Whether packets may be lines of 128 bytes. Lines rely on links to a switch, such as NVLink. Elsewhere a plan in
     * lines has other packets.
     */
    public boolean mayUseLines() {
        return fabric instanceof Fabric.Switch;
    }

    /** Whether ranks run on GPUs, rather than on the cores of a host. */
    public boolean isOfGpus() {
        return !(fabric instanceof Fabric.SharedMemory);
    }

    /** The preference of communicators on such a machine. */
    public ProgramPreference programPreference() {
        ProgramPreference all = isOfGpus() ? ProgramPreference.GPU : ProgramPreference.HOST;
        return mayUseLines() ? all : all.withoutLines();
    }

    /** All ranks. */
    public int ranks() {
        return nodes * ranksPerNode;
    }

    /** The node of a rank. */
    public int node(int rank) {
        return rank / ranksPerNode;
    }

    /**
     * This machine with fewer ranks in use on each node.
     *
     * @throws InvalidArgumentException if a node has fewer
     */
    public Topology withRanksPerNode(int used) {
        if (used < 1 || used > ranksPerNode) {
            throw InvalidArgumentException.of(
                    "ranks of each node of topology " + label(), used, "1 to " + ranksPerNode);
        }
        return new Topology(name, nodes, used, fabric, rails, costs);
    }

    /** This machine with another name. */
    public Topology withName(String other) {
        return new Topology(other, nodes, ranksPerNode, fabric, rails, costs);
    }

    /**
     * This machine with scaled speeds.
     *
     * @param launch factor of the launch, and of the time of blocks before their first operation
     * @param latency factor of latencies and costs of operations
     * @param links factor of bandwidths of links and memories
     * @param blocks factor of the speed of blocks
     */
    public Topology scaled(double launch, double latency, double links, double blocks) {
        return new Topology(
                name,
                nodes,
                ranksPerNode,
                fabric.scaled(latency, links),
                rails.map(rail -> new Rails(rail.bandwidth() * links, rail.latency() * latency)),
                costs.scaled(launch, latency, blocks));
    }
}
