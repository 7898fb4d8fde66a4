package org.mscclj.api;

/**
 * An optional capability of a communicator, besides collectives. A call that needs a missing capability throws
 * {@link org.mscclj.api.error.UnsupportedException}.
 */
public enum Capability {
    /**
     * Plans can be executed and registered, and shipped programs can be named. Without it another library serves all
     * collectives, and rounds, orders and treats NaN in its own way.
     */
    PLANS,
    /** Host threads may call the operations of memory channels that the application sets up. */
    HOST_CHANNELS,
    /**
     * {@link org.mscclj.api.device.Device#compile} compiles kernels, which may call the operations of channels and
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
     * Point-to-point calls: {@link Communicator#send}, {@link Communicator#receive} and {@link Communicator#variable}.
     */
    POINT_TO_POINT,
    /** One-sided windows: {@link Communicator#openWindow}. */
    WINDOWS,
    /** {@link Communicator#abort} ends operations that are in flight. */
    ABORT
}
