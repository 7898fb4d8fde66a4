package org.mscclj.runtime.channel;

import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;

/** Checks of the parts from which an application creates channels. */
final class ChannelArguments {
    private static final int PACKET_BYTES = 16;

    private ChannelArguments() {}

    /** Returns memory of this rank. */
    static OwnChannelMemory own(String argument, RegisteredMemory memory) {
        if (memory instanceof OwnChannelMemory own) {
            return own;
        }
        throw memory instanceof PeerChannelMemory
                ? InvalidArgumentException.of(
                        argument, "memory of rank " + memory.rank(), "memory of this rank, made by register")
                : notOurs(argument, memory);
    }

    /** Returns memory of the peer to which a semaphore leads. */
    static PeerChannelMemory peerMemory(RegisteredMemory memory, CounterSemaphore semaphore) {
        int peer = semaphore.connection().peer();
        if (memory instanceof PeerChannelMemory ours && ours.rank() == peer) {
            return ours;
        }
        throw memory instanceof PeerChannelMemory || memory instanceof OwnChannelMemory
                ? InvalidArgumentException.of(
                        "target",
                        "memory of rank " + memory.rank(),
                        "memory of rank " + peer + ", made by receiveMemory")
                : notOurs("target", memory);
    }

    /** Returns a semaphore of a kind. */
    static CounterSemaphore semaphore(Semaphore semaphore, ChannelKind kind) {
        if (!(semaphore instanceof CounterSemaphore ours)) {
            throw notOurs("semaphore", semaphore);
        }
        if (ours.connection().kind() != kind) {
            throw InvalidArgumentException.of(
                    "semaphore",
                    "over a connection of kind " + ours.connection().kind(),
                    "one over kind " + kind);
        }
        return ours;
    }

    /** Returns the exception for an object that another setup, or the application, has made. */
    static InvalidArgumentException notOurs(String argument, Object given) {
        return InvalidArgumentException.of(
                argument, given.getClass().getName(), "what the channel setup of the same communicator made");
    }

    /**
     * Checks the alignment of memory for packets. Packets are loaded whole. The peer, which stores them, does not know
     * their alignment in this rank's memory.
     */
    static void requirePackets(DeviceBuffer buffer) {
        if (buffer.byteSize() > 0 && buffer.address() % PACKET_BYTES != 0) {
            throw InvalidArgumentException.of(
                    "packets",
                    "memory at address 0x" + Long.toHexString(buffer.address()),
                    "memory that begins at a multiple of " + PACKET_BYTES
                            + ", the bytes of a packet; begin the slice at such an offset");
        }
    }
}
