package org.mscclj.analysis.simulate.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.error.InvalidArgumentException;

/** The links of the first ranks of a topology, and the routes over them. Not thread-safe. */
public final class Network {
    /** Each rank has links in this order: memory, out, in, rail out, rail in; a fabric may lack some of them. */
    private final List<Link> links = new ArrayList<>();

    private final Topology topology;
    private final int[] memories;
    private final int[] out;
    private final int[] in;
    private final int[] railOut;
    private final int[] railIn;
    private final int[] cores;
    private final Map<Long, Integer> pairs = new HashMap<>();
    private final Map<Long, Route> memoryRoutes = new HashMap<>();
    private final Map<Long, Route> portRoutes = new HashMap<>();

    /**
     * Creates the links.
     *
     * @param ranks number of ranks in use
     * @throws InvalidArgumentException if the topology has fewer ranks
     */
    public Network(Topology topology, int ranks) {
        if (ranks > topology.ranks()) {
            throw new InvalidArgumentException("there are " + ranks + " ranks; topology " + topology.label() + " has "
                    + topology.ranks() + " (" + topology.nodes() + " nodes of " + topology.ranksPerNode()
                    + "); choose a larger one, or a plan of fewer ranks");
        }
        this.topology = topology;
        this.memories = new int[ranks];
        this.out = new int[ranks];
        this.in = new int[ranks];
        this.railOut = new int[ranks];
        this.railIn = new int[ranks];
        this.cores = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            lay(rank);
        }
        if (topology.nodes() > 1) {
            topology.rails().ifPresent(rails -> layRails(ranks, rails));
        }
    }

    private void lay(int rank) {
        String name = "rank " + rank;
        switch (topology.fabric()) {
            case Fabric.Switch fabric -> {
                memories[rank] = add(name + " memory", fabric.memoryBandwidth());
                out[rank] = add(name + " out", fabric.linkBandwidth());
                in[rank] = add(name + " in", fabric.linkBandwidth());
            }
            case Fabric.PointToPoint fabric -> memories[rank] = add(name + " memory", fabric.memoryBandwidth());
            case Fabric.SharedMemory fabric -> {
                int node = topology.node(rank);
                boolean first = rank % topology.ranksPerNode() == 0;
                memories[rank] = first ? add("node " + node + " memory", fabric.memoryBandwidth()) : memories[rank - 1];
                cores[rank] = first
                        ? add(
                                "node " + node + " cores",
                                fabric.cores() * topology.costs().rates().copy())
                        : cores[rank - 1];
            }
        }
    }

    private void layRails(int ranks, Rails rails) {
        for (int rank = 0; rank < ranks; rank++) {
            railOut[rank] = add("rank " + rank + " rail out", rails.bandwidth());
            railIn[rank] = add("rank " + rank + " rail in", rails.bandwidth());
        }
    }

    private int add(String name, double bandwidth) {
        links.add(new Link(name, bandwidth));
        return links.size() - 1;
    }

    /** All links so far; those between pairs of ranks are created at their first use. */
    public List<Link> links() {
        return Collections.unmodifiableList(links);
    }

    /** The topology. */
    public Topology topology() {
        return topology;
    }

    /** The memory of a rank, as a link. */
    public int memory(int rank) {
        return memories[rank];
    }

    /**
     * The cores that the rank's blocks share with other ranks, as a link with the rate at which one block copies; empty
     * if they share none.
     */
    public OptionalInt cores(int rank) {
        return topology.fabric() instanceof Fabric.SharedMemory ? OptionalInt.of(cores[rank]) : OptionalInt.empty();
    }

    /** Whether blocks of one rank can access the other's memory. */
    public boolean maps(int rank, int peer) {
        return topology.node(rank) == topology.node(peer);
    }

    /**
     * The route of stores by blocks of {@code from} into the memory of {@code to}, which is on the same node, and of
     * loads by {@code to}.
     */
    public Route memoryRoute(int from, int to) {
        return memoryRoutes.computeIfAbsent(pair(from, to), _ -> {
            if (!maps(from, to)) {
                throw new IllegalStateException("ranks " + from + " and " + to + " are on different nodes");
            }
            return within(from, to);
        });
    }

    /** The route of writes of a port channel. */
    public Route portRoute(int from, int to) {
        return portRoutes.computeIfAbsent(pair(from, to), _ -> {
            Optional<Rails> rails = topology.rails();
            return maps(from, to) || rails.isEmpty()
                    ? within(from, to)
                    : new Route(List.of(railOut[from], railIn[to]), rails.get().latency());
        });
    }

    /** The links to the switch; empty where ranks have no link of their own. */
    public List<Integer> towardsSwitch(int rank) {
        return topology.fabric() instanceof Fabric.Switch ? List.of(out[rank]) : List.of();
    }

    /** The links from the switch; empty where ranks have no link of their own. */
    public List<Integer> fromSwitch(int rank) {
        return topology.fabric() instanceof Fabric.Switch ? List.of(in[rank]) : List.of();
    }

    private Route within(int from, int to) {
        if (from == to) {
            return new Route(List.of(), 0);
        }
        List<Integer> between = switch (topology.fabric()) {
            case Fabric.Switch _ -> List.of(out[from], in[to]);
            case Fabric.PointToPoint fabric -> List.of(pairLink(from, to, fabric));
            case Fabric.SharedMemory _ -> List.of();
        };
        return new Route(between, topology.fabric().latency());
    }

    private int pairLink(int from, int to, Fabric.PointToPoint fabric) {
        return pairs.computeIfAbsent(
                pair(from, to), _ -> add("rank " + from + " to rank " + to, fabric.linkBandwidth()));
    }

    /** A key of two ranks. Keys of all pairs have different hash codes: thousands of ranks have millions of pairs. */
    private long pair(int from, int to) {
        return (long) from * topology.ranks() + to;
    }
}
