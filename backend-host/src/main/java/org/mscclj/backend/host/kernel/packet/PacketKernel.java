package org.mscclj.backend.host.kernel.packet;

import org.mscclj.backend.host.kernel.variant.VectorSupport;
import org.mscclj.posix.NativeMemory;

/**
 * Packets of the LL protocol: 8-byte units, 8-byte aligned, whose lower 4 bytes carry data and whose upper 4 bytes
 * carry a flag. A reader that sees the expected flag also has the data, so data and notification travel in one store.
 * (An LL16 packet is two of these.)
 *
 * <p>Another thread or process may write packets while they are read. A unit never tears. After a call that has seen a
 * packet's flag, the reader sees everything that the writer did before the call that wrote the packet. A packet is
 * ordered after the reads from which its data was computed.
 *
 * <p>Addresses are absolute; addresses of packets must be multiples of 8, addresses of plain words need no alignment.
 * One word is 4 bytes. No ranges of one call may overlap. Kernels are thread-safe, and a call allocates nothing.
 */
public interface PacketKernel {
    /** Bytes of a packet. */
    int PACKET_BYTES = 8;

    /** Bytes of data in a packet. */
    int WORD_BYTES = 4;

    /** Whether a packet has the flag; if so, everything that its writer did before is visible. */
    static boolean isValid(long packet, int flag) {
        return ScalarPacketKernel.flag(NativeMemory.getLongAcquire(packet)) == flag;
    }

    /** Writes {@code words} words from {@code source} as packets, one for each word. */
    void pack(long source, long packets, long words, int flag);

    /**
     * Copies the data of the leading packets whose flag equals {@code flag} to {@code destination}, at most
     * {@code words}.
     *
     * @return the number of words copied; less than {@code words} if the next packet has not arrived
     */
    long unpack(long packets, long destination, long words, int flag);

    /**
     * Copies the leading packets whose flag equals {@code flag} to {@code destinationPackets}, at most {@code words}.
     *
     * @return the number of packets copied; less than {@code words} if the next packet has not arrived
     */
    long forward(long packets, long destinationPackets, long words, int flag);

    /** The number of leading packets whose flag equals {@code flag}, at most {@code words}. */
    long validPrefix(long packets, long words, int flag);

    /** The fastest kernel of this machine. */
    static PacketKernel preferred() {
        return VectorSupport.isEnabled() ? TieredPacketKernel.INSTANCE : ScalarPacketKernel.INSTANCE;
    }
}
