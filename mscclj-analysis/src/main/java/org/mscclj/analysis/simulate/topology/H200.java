package org.mscclj.analysis.simulate.topology;

import java.util.Optional;

/**
 * GPUs NVIDIA H200 with NVLink, joined by a switch. <em>Measured</em>: by microbenchmarks on four H200, if nothing else
 * is said. <em>Fitted</em>: to times of collectives on two H200. The page of results of the simulator has the figures.
 */
final class H200 {
    /** Bytes a nanosecond, measured: all store to the next one, by 128 blocks. */
    private static final double LINK = 358;

    /** Bytes a nanosecond, nominal: 4.8 TB/s of NVIDIA's data sheet. */
    private static final double MEMORY = 4800;

    /** Nanoseconds, measured: one way of a word to a thread that polls, 1,258 cycles at 1.98 GHz. */
    private static final double LATENCY = 635;

    /** Nanoseconds, measured: a load of a peer's memory, 1,781 cycles. */
    private static final double READ_LATENCY = 900;

    /** Bytes for each byte, measured: if all read from the next one, 326.5 bytes a nanosecond arrive instead of 358. */
    private static final double READ_REQUEST = 0.096;

    /** Nanoseconds, measured: from node to node of a CUDA graph. */
    private static final double LAUNCH = 502;

    /** Nanoseconds, fitted to the allreduce by {@code direct}, and the broadcast of 1 KiB. */
    private static final double BEGIN = 1100;

    /**
     * Nanoseconds, measured: a load of own memory, 334 cycles. It is that of the first row of the operation's table.
     */
    private static final double OPERATION = 170;

    /** Nanoseconds, measured: a fence behind a store to a peer, 1,803 cycles. */
    private static final double SIGNAL = 910;

    /** Nanoseconds, chosen. */
    private static final double RELAXED_SIGNAL = 50;

    /** Nanoseconds, fitted to the allreduce by {@code direct}. */
    private static final double WAIT = 400;

    /** Nanoseconds, chosen. */
    private static final double NOP = 30;

    /** Nanoseconds, chosen. */
    private static final double BARRIER = 500;

    /** Nanoseconds, chosen. */
    private static final double SEMAPHORE = 100;

    /** Nanoseconds, chosen. */
    private static final double PROXY_TRIGGER = 1500;

    /** Nanoseconds, chosen. */
    private static final double PROXY_POST = 500;

    /** Bytes a nanosecond, measured on an H100: 16 blocks copy 690. */
    private static final double BLOCK_COPY = 43;

    /** Bytes a nanosecond, chosen. */
    private static final double BLOCK_REDUCE = 60;

    /** Bytes a nanosecond, chosen. */
    private static final double BLOCK_PACKETS = 14;

    /** Nanoseconds, fitted to the allreduce by {@code packets}, whose launches begin early. */
    private static final double FUSED_BEGIN = 300;

    /** Nanoseconds, measured: two turns of one shot take 1,230 more than one turn, of which the way takes 635. */
    private static final double FUSED_REACTION = 600;

    /** Nanoseconds, fitted to the allreduce by {@code packets_ll128}. */
    private static final double FUSED_LINES = 100;

    /** Bytes a nanosecond, nominal: an adapter of 400 Gb/s for each GPU at its raw rate. */
    private static final double RAIL = 50;

    /** Nanoseconds, chosen: one way of a write, with its completion queue, which a thread of the host polls. */
    private static final double RAIL_LATENCY = 2500;

    static final Fabric FABRIC = new Fabric.Switch(LINK, MEMORY, LATENCY, READ_LATENCY, READ_REQUEST, true);

    static final Rails RAILS = new Rails(RAIL, RAIL_LATENCY);

    static final Costs COSTS = new Costs(
            LAUNCH,
            BEGIN,
            OPERATION,
            new OrderCosts(SIGNAL, RELAXED_SIGNAL, WAIT, NOP, BARRIER, SEMAPHORE),
            PROXY_TRIGGER,
            PROXY_POST,
            new BlockRates(BLOCK_COPY, BLOCK_REDUCE, BLOCK_PACKETS),
            Optional.of(new FusedCosts(FUSED_BEGIN, FUSED_REACTION, FUSED_LINES)));

    private H200() {}
}
