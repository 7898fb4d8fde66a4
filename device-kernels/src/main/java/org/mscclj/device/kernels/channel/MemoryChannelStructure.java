package org.mscclj.device.kernels.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.MemoryChannelSpec;

/**
 * Writes the structure {@code MemoryChannel} of the device library, followed by the count of waits on its own cache
 * line.
 */
public final class MemoryChannelStructure {
    /** Size of both in bytes. */
    public static final int BYTES = 256;

    private static final int PEER_COUNTER = InboundSignals.BYTES;
    private static final int TARGET = 40;
    private static final int ORIGIN = 48;
    private static final int PACKETS = 56;
    private static final int TARGET_BYTES = 64;
    private static final int ORIGIN_BYTES = 72;
    private static final int PACKET_BYTES = 80;
    private static final int AWAITED = 128;

    private MemoryChannelStructure() {}

    /**
     * Writes a structure.
     *
     * @param memory destination of {@link #BYTES} bytes, zeroed
     * @param address address of the structure on the device
     * @param spec description of the channel
     * @param abortWord address of the communicator's abort word on the device
     * @param peerWord address on the device of the word that ends waits for the peer
     */
    public static void write(
            MemorySegment memory, long address, MemoryChannelSpec spec, long abortWord, long peerWord) {
        InboundSignals.write(memory, spec.counter().address(), address + AWAITED, abortWord, peerWord);
        set(memory, PEER_COUNTER, spec.peerCounter().address());
        set(memory, TARGET, spec.target().address());
        set(memory, ORIGIN, spec.origin().address());
        set(memory, PACKETS, spec.packets().map(DeviceBuffer::address).orElse(0L));
        set(memory, TARGET_BYTES, spec.target().byteSize());
        set(memory, ORIGIN_BYTES, spec.origin().byteSize());
        set(memory, PACKET_BYTES, spec.packets().map(DeviceBuffer::byteSize).orElse(0L));
    }

    private static void set(MemorySegment memory, int offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
    }
}
