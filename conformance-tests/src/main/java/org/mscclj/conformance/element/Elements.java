package org.mscclj.conformance.element;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.type.DataType;

/** Views memory as a sequence of elements of 1, 2, 4 or 8 bytes. Each element is the low bits of a {@code long}. */
public final class Elements {
    private final MemorySegment memory;
    private final int width;

    /** Creates a view of the elements of a range of memory that the host can access. */
    public Elements(MemorySegment memory, DataType type) {
        this.memory = memory;
        this.width = type.byteSize();
    }

    /** Returns the number of elements. */
    public long count() {
        return memory.byteSize() / width;
    }

    /** Returns the bits of an element. */
    public long get(long index) {
        long at = index * width;
        return switch (width) {
            case Byte.BYTES -> Byte.toUnsignedLong(memory.get(ValueLayout.JAVA_BYTE, at));
            case Short.BYTES -> Short.toUnsignedLong(memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
            case Integer.BYTES -> Integer.toUnsignedLong(memory.get(ValueLayout.JAVA_INT_UNALIGNED, at));
            default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        };
    }

    /** Stores the low bits as an element. */
    public void set(long index, long bits) {
        long at = index * width;
        switch (width) {
            case Byte.BYTES -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
            case Short.BYTES -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
            case Integer.BYTES -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
            default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
        }
    }
}
