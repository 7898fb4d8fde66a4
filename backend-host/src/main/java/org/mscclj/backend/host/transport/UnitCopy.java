package org.mscclj.backend.host.transport;

import org.mscclj.backend.host.ffm.NativeMemory;

/**
 * Copies so that units of 8 bytes which are aligned in source and destination arrive whole, as packets must.
 *
 * <p>{@link NativeMemory#copy} ends in {@code Unsafe.copyMemory}, which promises transfers in whole longs if both addresses
 * <em>and the length</em> are multiples of 8, in HotSpot's own stubs as well as in those that the compiler puts in. A length that is
 * not would turn the whole copy into smaller units; so ragged ends are copied apart from the aligned middle. If source and
 * destination are aligned differently there is no unit to keep whole. {@code UnitCopyTest} looks for torn units.
 */
final class UnitCopy {
    private static final int UNIT = Long.BYTES;

    private UnitCopy() {}

    static void copy(long source, long destination, long bytes) {
        if (((source ^ destination) & (UNIT - 1)) != 0) {
            NativeMemory.copy(source, destination, bytes);
            return;
        }
        long head = Math.min(-source & (UNIT - 1), bytes);
        long middle = bytes - head & -UNIT;
        if (head != 0) {
            NativeMemory.copy(source, destination, head);
        }
        NativeMemory.copy(source + head, destination + head, middle);
        long tail = bytes - head - middle;
        if (tail != 0) {
            NativeMemory.copy(source + bytes - tail, destination + bytes - tail, tail);
        }
    }
}
