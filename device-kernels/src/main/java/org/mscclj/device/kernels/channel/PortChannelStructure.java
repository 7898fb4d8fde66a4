package org.mscclj.device.kernels.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.spi.device.PortChannelSpec;

/**
 * The structure {@code PortChannel} of the device library, and behind it, on lines of their own, the count of waits and
 * the ring's tail as seen.
 */
public final class PortChannelStructure {
    /** Size of all, in bytes. */
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
     * Writes one.
     *
     * @param memory of {@link #BYTES} bytes, zeroed
     * @param address where that will lie on the device
     * @param spec the channel's parts
     * @param abortWord address of the communicator's abort word, as the device sees it
     * @param peerWord address of the word that ends waits for the peer, likewise
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
