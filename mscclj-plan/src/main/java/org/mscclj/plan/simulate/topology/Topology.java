package org.mscclj.plan.simulate.topology;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;

/**
 * A machine that plans can be simulated on: equal nodes, ranks numbered node by node.
 *
 * @param name for reports
 * @param nodes number of nodes
 * @param ranksPerNode ranks on each node
 * @param fabric what joins the ranks of a node
 * @param rails what joins nodes; empty only if there is one node
 * @param costs what operations cost
 */
public record Topology(String name, int nodes, int ranksPerNode, Fabric fabric, Optional<Rails> rails, Costs costs) {
    /** Most ranks of a topology. */
    public static final int MOST_RANKS = 1 << 20;

    /** Checks the numbers. */
    public Topology {
        if (nodes < 1) {
            throw InvalidArgumentException.of("nodes", nodes, "1 or more");
        }
        if (ranksPerNode < 1) {
            throw InvalidArgumentException.of("ranks_per_node", ranksPerNode, "1 or more");
        }
        if ((long) nodes * ranksPerNode > MOST_RANKS) {
            throw InvalidArgumentException.of(
                    "nodes times ranks_per_node", (long) nodes * ranksPerNode, "at most " + MOST_RANKS);
        }
        if (nodes > 1 && rails.isEmpty()) {
            throw new InvalidArgumentException("topology " + PlainText.brief(name) + " has " + nodes
                    + " nodes and no rails; say what joins the nodes");
        }
    }

    /** The name for messages and tables: in one line, without characters that terminals obey, and shortened. */
    public String label() {
        return PlainText.brief(name);
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
     * The same machine, of each node of which only some ranks are used.
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

    /** The same machine under another name. */
    public Topology withName(String other) {
        return new Topology(other, nodes, ranksPerNode, fabric, rails, costs);
    }

    /** The same machine with another time until blocks begin, in nanoseconds. */
    public Topology withLaunch(double nanos) {
        return new Topology(name, nodes, ranksPerNode, fabric, rails, costs.withLaunch(nanos));
    }

    /**
     * The same machine at other speeds.
     *
     * @param latency multiplies latencies and what operations cost, except the launch
     * @param links multiplies the bandwidth of links and memories
     * @param blocks multiplies how fast blocks are
     */
    public Topology scaled(double latency, double links, double blocks) {
        return new Topology(
                name,
                nodes,
                ranksPerNode,
                fabric.scaled(latency, links),
                rails.map(rail -> new Rails(rail.bandwidth() * links, rail.latency() * latency)),
                costs.scaled(latency, blocks));
    }
}
