package org.mscclj.spi.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies memory as {@link TransportConnection#write} requires: units of 8 bytes that are aligned in the target arrive
 * whole, so that the data may contain packets.
 *
 * <p>A bulk copy ends in {@code Unsafe.copyMemory}, which promises transfers in whole longs if both addresses <em>and
 * the length</em> are multiples of 8, in HotSpot's own stubs as well as in code that the compiler inlines. Another
 * length would turn the whole copy into smaller units; so unaligned ends are copied separately from the aligned middle.
 * Where source and target are aligned differently the middle is stored long by long. {@code UnitCopyTest} checks for
 * torn units.
 */
public final class UnitCopy {
    private static final int UNIT = Long.BYTES;
    private static final ValueLayout.OfLong SOURCE = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final VarHandle TARGET = ValueLayout.JAVA_LONG.varHandle();

    private UnitCopy() {}

    /**
     * Copies between two ranges of native memory, which do not overlap. A reader that sees a part of the copied data
     * also sees everything that this thread has seen or stored before. Allocates nothing.
     *
     * @param from start in the source segment, in bytes
     * @param to start in the target segment, in bytes
     * @param bytes number of bytes to copy; 0 or more
     * @throws IndexOutOfBoundsException if a range does not lie in its segment
     */
    public static void copy(MemorySegment source, long from, MemorySegment target, long to, long bytes) {
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
