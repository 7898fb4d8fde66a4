package org.mscclj.device.kernels.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.spi.proxy.TriggerFifo;

/** Writes the structure {@code PortRing} of the device library: a ring into which kernels push triggers. */
public final class PortRing {
    /** Size of the structure in bytes. */
    public static final int BYTES = 48;

    private static final int SLOTS = 0;
    private static final int TAIL = 8;
    private static final int FLUSHED = 16;
    private static final int HEAD = 24;
    private static final int TAIL_SEEN = 32;
    private static final int CAPACITY = 40;

    private PortRing() {}

    /**
     * Writes a structure.
     *
     * @param memory destination, from its start
     * @param fifo the ring
     * @param tailSeen address of the word with the tail that blocks have seen, initially 0, which is always a lower
     *     bound
     */
    public static void write(MemorySegment memory, TriggerFifo fifo, long tailSeen) {
        long slots = fifo.address();
        memory.set(ValueLayout.JAVA_LONG, SLOTS, slots);
        memory.set(ValueLayout.JAVA_LONG, TAIL, slots + TriggerFifo.tailOffset(fifo.capacity()));
        memory.set(ValueLayout.JAVA_LONG, FLUSHED, slots + TriggerFifo.flushedOffset(fifo.capacity()));
        memory.set(ValueLayout.JAVA_LONG, HEAD, fifo.headAddress());
        memory.set(ValueLayout.JAVA_LONG, TAIL_SEEN, tailSeen);
        memory.set(ValueLayout.JAVA_LONG, CAPACITY, fifo.capacity());
    }
}
