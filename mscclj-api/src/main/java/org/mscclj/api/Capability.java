package org.mscclj.api;

/**
 * What a communicator may or may not be able to do, besides collectives. A call that needs what is missing throws
 * {@link org.mscclj.api.error.UnsupportedException}.
 */
public enum Capability {
    /** Threads of the host may call the operations of hand-made memory channels. */
    HOST_CHANNELS,
    /**
     * {@link org.mscclj.api.device.Device#compile} makes kernels, which may call the operations of channels and
     * windows.
     */
    DEVICE_CHANNELS,
    /** The host accesses device memory directly, by {@link org.mscclj.api.device.DeviceBuffer#segment}. */
    HOST_MEMORY,
    /** Plans may use switch channels, by hardware multicast or by its emulation. */
    MULTICAST,
    /** Streams can be captured into graphs and replayed. */
    GRAPH_CAPTURE,
    /**
     * Messages from rank to rank: {@link Communicator#send}, {@link Communicator#receive} and
     * {@link Communicator#variable}.
     */
    POINT_TO_POINT,
    /** One-sided windows: {@link Communicator#openWindow}. */
    WINDOWS,
    /** {@link Communicator#abort} ends operations that are in flight. */
    ABORT
}
