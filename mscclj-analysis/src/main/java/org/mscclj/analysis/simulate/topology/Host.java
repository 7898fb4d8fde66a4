package org.mscclj.analysis.simulate.topology;

import java.util.Optional;

/** The CPU backend on two cores. Its memory alone was measured, so that calibration is recommended. */
final class Host {
    /**
     * Bytes a nanosecond, measured on two virtual cores of an AMD EPYC: 32 to 37 by two threads. Reads and writes count
     * separately here.
     */
    private static final double MEMORY = 36;

    /** Nanoseconds, chosen: a cache line from core to core, until the other thread sees a flag in it. */
    private static final double LATENCY = 100;

    /** Chosen: those of the machine whose memory was measured. */
    private static final int CORES = 2;

    /** Nanoseconds, chosen. */
    private static final double LAUNCH = 150;

    /** Nanoseconds, chosen: it is part of the launch. */
    private static final double BEGIN = 0;

    /** Nanoseconds, chosen. */
    private static final double OPERATION = 20;

    /** Nanoseconds, chosen. */
    private static final double SIGNAL = 15;

    /** Nanoseconds, chosen. */
    private static final double RELAXED_SIGNAL = 15;

    /** Nanoseconds, chosen. */
    private static final double WAIT = 15;

    /** Nanoseconds, chosen. */
    private static final double NOP = 2;

    /** Nanoseconds, chosen. */
    private static final double BARRIER = 100;

    /** Nanoseconds, chosen. */
    private static final double SEMAPHORE = 20;

    /** Nanoseconds, chosen. */
    private static final double PROXY_TRIGGER = 500;

    /** Nanoseconds, chosen. */
    private static final double PROXY_POST = 200;

    /** Bytes a nanosecond, chosen. */
    private static final double BLOCK_COPY = 20;

    /** Bytes a nanosecond, chosen. */
    private static final double BLOCK_REDUCE = 30;

    /** Bytes a nanosecond, chosen. */
    private static final double BLOCK_PACKETS = 4;

    static final Fabric FABRIC = new Fabric.SharedMemory(MEMORY, LATENCY, CORES);

    static final Costs COSTS = new Costs(
            LAUNCH,
            BEGIN,
            OPERATION,
            new OrderCosts(SIGNAL, RELAXED_SIGNAL, WAIT, NOP, BARRIER, SEMAPHORE),
            PROXY_TRIGGER,
            PROXY_POST,
            new BlockRates(BLOCK_COPY, BLOCK_REDUCE, BLOCK_PACKETS),
            Optional.empty());

    private Host() {}
}
