package org.mscclj.analysis.simulate.topology;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;

/** Machines with a name. A comment at each constant gives its source. */
public final class Presets {
    /** The names, for messages and help. */
    public static final String NAMES = "h200x4, h200x8, h200x8-nodes:N (N nodes of 8, 2 to 512), mi300x8, host";

    /** Greatest number of nodes of a preset. */
    public static final int MAX_NODES = 512;

    private static final Pattern NODES = Pattern.compile("h200x8-nodes:(\\d{1,4})");

    /** NVIDIA's data sheet of the H200: 4.8 TB/s. */
    private static final double H200_MEMORY = 4800;

    /** Measured on four H200: all store to the next one by 128 blocks. */
    private static final double H200_LINK = 358;

    /** Measured there: 1,258 cycles at 1.98 GHz for one way of a word between two threads that poll. */
    private static final double H200_LATENCY = 635;

    /** Measured there: a load of a peer's memory takes 1,781 cycles. */
    private static final double H200_READ_LATENCY = 900;

    /** Measured there: if all read from the next one, 326.5 bytes a nanosecond arrive instead of 358. */
    private static final double H200_READ_REQUEST = 0.096;

    /**
     * Measured there: 502 ns from node to node of a CUDA graph; 334 cycles for a load of own memory, which is the first
     * row of an operation's table; 1,803 cycles for a fence behind a store to a peer, which a signal needs. The time of
     * a block until its first operation, and that of a wait, are fitted to the allreduce on two H200.
     */
    private static final double H200_LAUNCH = 502;

    private static final double H200_BEGIN = 1100;
    private static final double H200_OPERATION = 170;
    private static final OrderCosts H200_ORDER = new OrderCosts(910, 50, 400, 30, 500, 100);

    /**
     * The reaction is measured there: two turns of one shot take 1,230 ns more than one, of which the way takes 635.
     * The begin and what lines add are fitted to the allreduce on two H200.
     */
    private static final FusedCosts H200_FUSED = new FusedCosts(680, 600, 400);

    /** Copies: measured on an H100, where 16 blocks copy 690. The others are chosen. */
    private static final BlockRates H200_BLOCK = new BlockRates(43, 60, 14);

    private static final Costs H200_COSTS = new Costs(
            H200_LAUNCH, H200_BEGIN, H200_OPERATION, H200_ORDER, 1500, 500, H200_BLOCK, Optional.of(H200_FUSED));

    /**
     * One 400 Gb/s adapter for each GPU at its raw rate; latency of a write and its completion queue by a host thread,
     * one way.
     */
    private static final Rails RAILS_400G = new Rails(50, 2500);

    /** AMD's data sheet: 5.3 TB/s. */
    private static final double MI300X_MEMORY = 5300;

    /** A sixteen-lane xGMI link at 32 Gb/s: 64 bytes per nanosecond one way, of which about three quarters are data. */
    private static final double MI300X_LINK = 48;

    /** Not measured: assumed somewhat longer than that of NVLink. */
    private static final double MI300X_LATENCY = 1000;

    /** Not measured: those of the H200 with a slower launch. */
    private static final Costs MI300X_COSTS = new Costs(
            3000,
            0,
            150,
            new OrderCosts(700, 70, 70, 50, 700, 150),
            2000,
            500,
            new BlockRates(20, 40, 10),
            Optional.of(new FusedCosts(150, 150, 0)));

    /** Measured on two cores of an AMD EPYC: 32 to 37 with two threads. Reads and writes count separately here. */
    private static final double HOST_MEMORY = 36;

    /**
     * A transfer of a cache line between two cores until the other thread sees it; from flag hops of the CPU backend.
     */
    private static final double HOST_LATENCY = 100;

    /** The CPU backend's interpreter on the same cores; calibration is recommended. */
    private static final Costs HOST_COSTS = new Costs(
            150, 0, 20, new OrderCosts(15, 15, 15, 2, 100, 20), 500, 200, new BlockRates(20, 30, 4), Optional.empty());

    private static final int HOST_CORES = 2;
    private static final int HOST_RANKS = 1024;
    private static final int EIGHT = 8;

    private Presets() {}

    /** The preset with a name; empty if there is none. */
    public static Optional<Topology> find(String name) {
        return switch (name) {
            case "h200x4" -> Optional.of(h200(name, 1, EIGHT / 2));
            case "h200x8" -> Optional.of(h200(name, 1, EIGHT));
            case "mi300x8" ->
                Optional.of(new Topology(
                        name,
                        1,
                        EIGHT,
                        new Fabric.PointToPoint(MI300X_LINK, MI300X_MEMORY, MI300X_LATENCY),
                        Optional.empty(),
                        MI300X_COSTS));
            case "host" ->
                Optional.of(new Topology(
                        name,
                        1,
                        HOST_RANKS,
                        new Fabric.SharedMemory(HOST_MEMORY, HOST_LATENCY, HOST_CORES),
                        Optional.empty(),
                        HOST_COSTS));
            default -> severalNodes(name);
        };
    }

    private static Optional<Topology> severalNodes(String name) {
        Matcher matcher = NODES.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int nodes = Integer.parseInt(matcher.group(1));
        if (nodes < 2 || nodes > MAX_NODES) {
            throw InvalidArgumentException.of(
                    "number of nodes of " + name, nodes, "2 to " + MAX_NODES + "; one node is h200x8");
        }
        return Optional.of(h200(name, nodes, EIGHT));
    }

    private static Topology h200(String name, int nodes, int perNode) {
        return new Topology(
                name,
                nodes,
                perNode,
                new Fabric.Switch(H200_LINK, H200_MEMORY, H200_LATENCY, H200_READ_LATENCY, H200_READ_REQUEST, true),
                nodes == 1 ? Optional.empty() : Optional.of(RAILS_400G),
                H200_COSTS);
    }
}
