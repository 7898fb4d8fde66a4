package org.mscclj.spi;

/** An optional feature of a backend. The conformance suite checks each declaration both ways. */
public enum Feature {
    /**
     * Plans run, registered ones and shipped programs. Without it the fallback for these devices serves all
     * collectives, and rounds, orders and treats NaN as its library does.
     */
    PLANS,
    /** Ranks may be threads of one process. */
    RANKS_AS_THREADS,
    /** Ranks may be processes of one host. */
    RANKS_AS_PROCESSES,
    /** Channel operations may be called from host threads. */
    HOST_CHANNELS,
    /** Kernels of the application can be compiled, and may call channel operations. */
    DEVICE_CHANNELS,
    /** The host can access device memory directly. */
    HOST_MEMORY,
    /** Multicast works, by hardware or by emulation. */
    MULTICAST,
    /** Streams can be captured into graphs and replayed. */
    GRAPH_CAPTURE,
    /** Point-to-point transfers, in which only the two ranks take part. */
    POINT_TO_POINT,
    /** One-sided windows. */
    WINDOWS,
    /** Operations in flight can be aborted. */
    ABORT
}
