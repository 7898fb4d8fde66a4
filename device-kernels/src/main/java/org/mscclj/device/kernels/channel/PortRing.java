package org.mscclj.device.kernels.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.spi.proxy.TriggerFifo;

/** The structure of this name of the device library: a ring that kernels push triggers into. */
public final class PortRing {
    /** Its size, in bytes. */
    public static final int BYTES = 48;

    private static final int SLOTS = 0;
    private static final int TAIL = 8;
    private static final int FLUSHED = 16;
    private static final int HEAD = 24;
    private static final int TAIL_SEEN = 32;
    private static final int CAPACITY = 40;

    private PortRing() {}

    /**
     * Writes one.
     *
     * @param memory where to, from its start
     * @param fifo the ring, of a device
     * @param tailSeen address of the word for the tail that blocks have seen; 0 there at first, which is never too far
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
