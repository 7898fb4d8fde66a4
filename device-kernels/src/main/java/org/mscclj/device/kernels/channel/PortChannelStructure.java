package org.mscclj.device.kernels.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.spi.device.PortChannelSpec;

/**
 * Writes the structure {@code PortChannel} of the device library, followed by the count of waits and the cached tail of
 * the ring, each on its own cache line.
 */
public final class PortChannelStructure {
    /** Size of all in bytes. */
    public static final int BYTES = 384;

    private static final int RING = InboundSignals.BYTES;
    private static final int SEMAPHORE_ID = 80;
    private static final int ORIGIN_ID = 84;
    private static final int TARGET_ID = 88;
    private static final int TARGET_BYTES = 96;
    private static final int ORIGIN_BYTES = 104;
    private static final int AWAITED = 128;
    private static final int TAIL_SEEN = 256;

    private PortChannelStructure() {}

    /**
     * Writes a structure.
     *
     * @param memory destination of {@link #BYTES} bytes, zeroed
     * @param address address of the structure on the device
     * @param spec description of the channel
     * @param abortWord address of the communicator's abort word on the device
     * @param peerWord address on the device of the word that ends waits for the peer
     */
    public static void write(MemorySegment memory, long address, PortChannelSpec spec, long abortWord, long peerWord) {
        InboundSignals.write(memory, spec.counter().address(), address + AWAITED, abortWord, peerWord);
        PortRing.write(memory.asSlice(RING, PortRing.BYTES), spec.fifo(), address + TAIL_SEEN);
        memory.set(ValueLayout.JAVA_INT, SEMAPHORE_ID, spec.semaphoreId());
        memory.set(ValueLayout.JAVA_INT, ORIGIN_ID, spec.originId());
        memory.set(ValueLayout.JAVA_INT, TARGET_ID, spec.targetId());
        memory.set(ValueLayout.JAVA_LONG, TARGET_BYTES, spec.targetBytes());
        memory.set(ValueLayout.JAVA_LONG, ORIGIN_BYTES, spec.originBytes());
        memory.set(ValueLayout.JAVA_LONG, AWAITED, spec.awaited());
    }
}
