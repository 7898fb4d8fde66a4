package org.mscclj.transport.tcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Stores received bytes so that units of 8 bytes which are aligned in the target arrive whole, as packets must.
 *
 * <p>A bulk copy moves whole longs if both addresses and the length are multiples of 8; so ragged ends are copied apart, and where
 * source and target are aligned differently the middle is stored long by long.
 */
final class UnitCopy {
    private static final int UNIT = Long.BYTES;
    private static final ValueLayout.OfLong SOURCE = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final VarHandle TARGET = ValueLayout.JAVA_LONG.varHandle();

    private UnitCopy() {}

    /** Copies; what this thread has seen or stored before is seen before what is copied. */
    static void copy(MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        VarHandle.releaseFence();
        long address = target.address() + to;
        long head = Math.min(-address & (UNIT - 1), bytes);
        long middle = bytes - head & -UNIT;
        if (head > 0) {
            MemorySegment.copy(source, from, target, to, head);
        }
        if ((source.address() + from + head & (UNIT - 1)) == 0) {
            MemorySegment.copy(source, from + head, target, to + head, middle);
        } else {
            for (long done = head; done < head + middle; done += UNIT) {
                TARGET.setOpaque(target, to + done, source.get(SOURCE, from + done));
            }
        }
        long done = head + middle;
        if (done < bytes) {
            MemorySegment.copy(source, from + done, target, to + done, bytes - done);
        }
    }
}
