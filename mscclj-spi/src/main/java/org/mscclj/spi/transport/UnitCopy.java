package org.mscclj.spi.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies as {@link TransportConnection#write} must: units of 8 bytes that are aligned in the target arrive whole, so
 * that packets may be among them.
 *
 * <p>A bulk copy ends in {@code Unsafe.copyMemory}, which promises transfers in whole longs if both addresses <em>and
 * the length</em> are multiples of 8, in HotSpot's own stubs as well as in those that the compiler puts in. A length
 * that is not would turn the whole copy into smaller units; so ragged ends are copied apart from the aligned middle.
 * Where source and target are aligned differently the middle is stored long by long. {@code UnitCopyTest} looks for
 * torn units.
 */
public final class UnitCopy {
    private static final int UNIT = Long.BYTES;
    private static final ValueLayout.OfLong SOURCE = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final VarHandle TARGET = ValueLayout.JAVA_LONG.varHandle();

    private UnitCopy() {}

    /**
     * Copies between two ranges of native memory, which do not overlap. Whoever sees a part of what is copied also sees
     * what this thread has seen or stored before. Allocates nothing.
     *
     * @param from where the source starts, in bytes
     * @param to where the target starts, in bytes
     * @param bytes how much to copy; 0 or more
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
