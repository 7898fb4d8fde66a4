package org.mscclj.backend.host.kernel;

import org.mscclj.posix.NativeMemory;

/**
 * Packets of the LL protocol: 8-byte units, 8-byte aligned, whose lower 4 bytes carry data and whose upper 4 bytes
 * carry a flag. A reader that sees the flag it expects has the data too, so data and notification travel in one store.
 * (An LL16 packet is two of these.)
 *
 * <p>Packets may be written by another thread or process while they are read. A unit never tears. Whoever saw a
 * packet's flag sees, after the call returned, everything its writer did before the call that wrote it. A packet is
 * ordered after the reads that its data was computed from.
 *
 * <p>Addresses are absolute; those of packets must be multiples of 8, those of plain words need no alignment. One word
 * is 4 bytes. No ranges of one call may overlap. Kernels are thread-safe, and a call allocates nothing.
 */
public interface PacketKernel {
    /** Bytes of a packet. */
    int PACKET_BYTES = 8;

    /** Bytes of data in a packet. */
    int WORD_BYTES = 4;

    /** Whether a packet's flag is the one given; if so, what its writer did before is seen. */
    static boolean isValid(long packet, int flag) {
        return ScalarPacketKernel.flag(NativeMemory.getLongAcquire(packet)) == flag;
    }

    /** Sends {@code words} words from {@code source} as as many packets. */
    void pack(long source, long packets, long words, int flag);

    /**
     * Copies the data of the leading packets whose flag equals {@code flag} to {@code destination}, at most
     * {@code words}.
     *
     * @return how many words were copied; less than {@code words} if that packet has not arrived
     */
    long unpack(long packets, long destination, long words, int flag);

    /**
     * Copies the leading packets whose flag equals {@code flag} to {@code destinationPackets}, at most {@code words}.
     *
     * @return how many packets were copied; less than {@code words} if that packet has not arrived
     */
    long forward(long packets, long destinationPackets, long words, int flag);

    /** How many leading packets have a flag that equals {@code flag}, at most {@code words}. */
    long validPrefix(long packets, long words, int flag);

    /** The fastest kernel of this machine. */
    static PacketKernel preferred() {
        return VectorSupport.isEnabled() ? TieredPacketKernel.INSTANCE : ScalarPacketKernel.INSTANCE;
    }
}
