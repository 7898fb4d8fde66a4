package org.mscclj.analysis.simulate.topology;

import java.util.Optional;

/**
 * GPUs AMD MI300X, each of which has a link to each other. Nothing was measured. Chosen costs are near those that were
 * chosen for the H200 before it was measured.
 */
final class Mi300x {
    /** Bytes a nanosecond, nominal: AMD says that about 48 of the 64 GB/s of a link one way are usable. */
    private static final double LINK = 48;

    /** Bytes a nanosecond, nominal: the 5.3 TB/s that AMD announced. */
    private static final double MEMORY = 5300;

    /** Nanoseconds, chosen: somewhat longer than that of NVLink. */
    private static final double LATENCY = 1000;

    /** Nanoseconds, chosen: slower than a launch of the H200. */
    private static final double LAUNCH = 3000;

    /** Nanoseconds, chosen: it is part of the launch. */
    private static final double BEGIN = 0;

    /** Nanoseconds, chosen. */
    private static final double OPERATION = 150;

    /** Nanoseconds, chosen. */
    private static final double SIGNAL = 700;

    /** Nanoseconds, chosen. */
    private static final double RELAXED_SIGNAL = 70;

    /** Nanoseconds, chosen. */
    private static final double WAIT = 70;

    /** Nanoseconds, chosen. */
    private static final double NOP = 50;

    /** Nanoseconds, chosen. */
    private static final double BARRIER = 700;

    /** Nanoseconds, chosen. */
    private static final double SEMAPHORE = 150;

    /** Nanoseconds, chosen. */
    private static final double PROXY_TRIGGER = 2000;

    /** Nanoseconds, chosen. */
    private static final double PROXY_POST = 500;

    /** Bytes a nanosecond, chosen. */
    private static final double BLOCK_COPY = 20;

    /** Bytes a nanosecond, chosen. */
    private static final double BLOCK_REDUCE = 40;

    /** Bytes a nanosecond, chosen. */
    private static final double BLOCK_PACKETS = 10;

    /** Nanoseconds, chosen. */
    private static final double FUSED_BEGIN = 150;

    /** Nanoseconds, chosen. */
    private static final double FUSED_REACTION = 150;

    /** Nanoseconds, chosen. Packets are never lines, since there is no switch. */
    private static final double FUSED_LINES = 0;

    static final Fabric FABRIC = new Fabric.PointToPoint(LINK, MEMORY, LATENCY);

    /** Those of all presets of AMD GPUs. */
    static final Costs COSTS = new Costs(
            LAUNCH,
            BEGIN,
            OPERATION,
            new OrderCosts(SIGNAL, RELAXED_SIGNAL, WAIT, NOP, BARRIER, SEMAPHORE),
            PROXY_TRIGGER,
            PROXY_POST,
            new BlockRates(BLOCK_COPY, BLOCK_REDUCE, BLOCK_PACKETS),
            Optional.of(new FusedCosts(FUSED_BEGIN, FUSED_REACTION, FUSED_LINES)));

    private Mi300x() {}
}
