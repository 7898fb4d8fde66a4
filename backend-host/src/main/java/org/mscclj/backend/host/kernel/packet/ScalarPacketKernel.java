package org.mscclj.backend.host.kernel.packet;

import org.mscclj.posix.NativeMemory;

/**
 * Handles one packet at a time, by release stores and acquire loads of longs: these are the guarantees of
 * {@link PacketKernel} in terms of the memory model, so this class is the oracle in tests.
 */
final class ScalarPacketKernel implements PacketKernel {
    static final ScalarPacketKernel INSTANCE = new ScalarPacketKernel();

    private ScalarPacketKernel() {}

    static long packet(int data, int flag) {
        return Integer.toUnsignedLong(data) | (long) flag << Integer.SIZE;
    }

    static int flag(long packet) {
        return (int) (packet >>> Integer.SIZE);
    }

    @Override
    public void pack(long source, long packets, long words, int flag) {
        for (long i = 0; i < words; i++) {
            int data = NativeMemory.getInt(source + i * WORD_BYTES);
            NativeMemory.setLongRelease(packets + i * PACKET_BYTES, packet(data, flag));
        }
    }

    @Override
    public long unpack(long packets, long destination, long words, int flag) {
        for (long i = 0; i < words; i++) {
            long packet = NativeMemory.getLongAcquire(packets + i * PACKET_BYTES);
            if (flag(packet) != flag) {
                return i;
            }
            NativeMemory.setInt(destination + i * WORD_BYTES, (int) packet);
        }
        return words;
    }

    @Override
    public long forward(long packets, long destinationPackets, long words, int flag) {
        for (long i = 0; i < words; i++) {
            long packet = NativeMemory.getLongAcquire(packets + i * PACKET_BYTES);
            if (flag(packet) != flag) {
                return i;
            }
            NativeMemory.setLongRelease(destinationPackets + i * PACKET_BYTES, packet);
        }
        return words;
    }

    @Override
    public long validPrefix(long packets, long words, int flag) {
        for (long i = 0; i < words; i++) {
            if (flag(NativeMemory.getLongAcquire(packets + i * PACKET_BYTES)) != flag) {
                return i;
            }
        }
        return words;
    }
}
