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

    /**
     * Bytes a nanosecond, measured on four H200 (as all that is called measured below): all store to the next one, by
     * 128 blocks.
     */
    private static final double H200_LINK = 358;

    /** Nanoseconds, measured: one way of a word to a thread that polls, 1,258 cycles at 1.98 GHz. */
    private static final double H200_LATENCY = 635;

    /** Nanoseconds, measured: a load of a peer's memory, 1,781 cycles. */
    private static final double H200_READ_LATENCY = 900;

    /** Bytes for each byte, measured: if all read from the next one, 326.5 bytes a nanosecond arrive instead of 358. */
    private static final double H200_READ_REQUEST = 0.096;

    /** Nanoseconds, measured: from node to node of a CUDA graph. */
    private static final double H200_LAUNCH = 502;

    /** Nanoseconds, fitted to the allreduce of two H200 by {@code direct}, and the broadcast of 1 KiB. */
    private static final double H200_BEGIN = 1100;

    /**
     * Nanoseconds, measured: a load of own memory, 334 cycles. It is that of the first row of the operation's table.
     */
    private static final double H200_OPERATION = 170;

    /** Nanoseconds, measured: a fence behind a store to a peer, 1,803 cycles. */
    private static final double H200_SIGNAL = 910;

    /** Nanoseconds, fitted to the allreduce of two H200 by {@code direct}. */
    private static final double H200_WAIT = 400;

    /** Chosen, but for signal and wait. */
    private static final OrderCosts H200_ORDER = new OrderCosts(H200_SIGNAL, 50, H200_WAIT, 30, 500, 100);

    /** Nanoseconds, fitted to the allreduce of two H200 by {@code packets}. */
    private static final double H200_FUSED_BEGIN = 680;

    /** Nanoseconds, measured: two turns of one shot take 1,230 more than one turn, of which the way takes 635. */
    private static final double H200_REACTION = 600;

    /** Nanoseconds, fitted to the allreduce of two H200 by {@code packets_ll128}. */
    private static final double H200_LINES = 400;

    /** Bytes a nanosecond that a block copies, measured on an H100: 16 blocks copy 690. */
    private static final double H200_COPY = 43;

    /** Reductions and packets: chosen. Proxies: chosen. */
    private static final Costs H200_COSTS = new Costs(
            H200_LAUNCH,
            H200_BEGIN,
            H200_OPERATION,
            H200_ORDER,
            1500,
            500,
            new BlockRates(H200_COPY, 60, 14),
            Optional.of(new FusedCosts(H200_FUSED_BEGIN, H200_REACTION, H200_LINES)));

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
