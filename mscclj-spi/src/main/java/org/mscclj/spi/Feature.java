package org.mscclj.spi;

/** What a backend may or may not be able to do. The conformance suite checks each declaration both ways. */
public enum Feature {
    /** Ranks may be threads of one process. */
    RANKS_AS_THREADS,
    /** Ranks may be processes of one host. */
    RANKS_AS_PROCESSES,
    /** Channel operations may be called from host threads. */
    HOST_CHANNELS,
    /** Kernels of users can be compiled, and may call channel operations. */
    DEVICE_CHANNELS,
    /** The host can access device memory directly. */
    HOST_MEMORY,
    /** Multicast works, by hardware or by emulation. */
    MULTICAST,
    /** Streams can be captured into graphs and replayed. */
    GRAPH_CAPTURE,
    /** Messages from rank to rank, which only these two know of. */
    POINT_TO_POINT,
    /** One-sided windows. */
    WINDOWS,
    /** Operations in flight can be aborted. */
    ABORT
}
