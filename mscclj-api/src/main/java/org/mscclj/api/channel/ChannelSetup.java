package org.mscclj.api.channel;

import java.util.SortedMap;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Creates the parts of channels. Messages between ranks are matched by peer and tag; messages of equal peer and tag
 * arrive in the order sent. Calls that wait for a peer throw {@link org.mscclj.api.error.OperationTimeoutException}
 * after the communicator's timeout.
 */
public interface ChannelSetup {
    /** Registers memory of this rank for channels. */
    RegisteredMemory register(DeviceBuffer buffer);

    /** Sends a description of this rank's memory to a peer. Does not wait for the peer. */
    void sendMemory(RegisteredMemory memory, int peer, int tag);

    /** Receives the description of a peer's memory; waits for {@link #sendMemory}. */
    RegisteredMemory receiveMemory(int peer, int tag);

    /**
     * Connects to a peer, which must call this method with an equal tag and kind. Returns when both ranks are
     * connected, or throws on both.
     *
     * @throws org.mscclj.api.error.UnsupportedException if no transport reaches the peer
     */
    Connection connect(int peer, int tag, ChannelKind kind);

    /** Creates a semaphore over a connection; the peer must call this method with an equal tag. */
    Semaphore createSemaphore(Connection connection, int tag);

    /**
     * A memory channel without packet memory.
     *
     * @param semaphore over a connection of kind {@link ChannelKind#MEMORY}
     * @param target the peer's memory
     * @param origin this rank's memory
     */
    MemoryChannel memoryChannel(Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin);

    /**
     * A memory channel with packet memory.
     *
     * @param semaphore over a connection of kind {@link ChannelKind#MEMORY}
     * @param target the peer's memory
     * @param origin this rank's memory
     * @param packets this rank's memory into which the peer puts packets; it begins at a multiple of 16
     * @throws org.mscclj.api.error.InvalidArgumentException if it does not
     */
    MemoryChannel memoryChannel(
            Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin, RegisteredMemory packets);

    /**
     * A port channel.
     *
     * @param semaphore over a connection of kind {@link ChannelKind#PORT}
     * @param target the peer's memory
     * @param origin this rank's memory
     */
    PortChannel portChannel(Semaphore semaphore, RegisteredMemory target, RegisteredMemory origin);

    /**
     * Memory channels to all other ranks, in one call: registers memory, connects to each peer, and creates a semaphore
     * and a channel for it. A channel's target is the peer's memory, its origin this rank's. Collective. All parts are
     * closed with the communicator.
     *
     * @param memory this rank's memory; sizes may differ between ranks
     * @param tag as of {@link #connect}; equal on all ranks
     * @return the channels, by peer, in the order of ranks; unmodifiable
     * @throws org.mscclj.api.error.UnsupportedException if the memory of a peer cannot be mapped
     */
    SortedMap<Integer, MemoryChannel> memoryChannels(DeviceBuffer memory, int tag);

    /**
     * Port channels to all other ranks, as {@link #memoryChannels} creates memory channels. Collective.
     *
     * @throws org.mscclj.api.error.UnsupportedException if no transport reaches a peer
     */
    SortedMap<Integer, PortChannel> portChannels(DeviceBuffer memory, int tag);
}
