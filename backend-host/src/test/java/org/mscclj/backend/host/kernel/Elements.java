package org.mscclj.backend.host.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.mscclj.api.type.DataType;
import org.mscclj.posix.NativeMemory;

/** Buffers of elements in native memory, off their alignment, between guard bytes. */
public final class Elements {
    private static final int GUARD = 128;
    private static final byte GUARD_VALUE = (byte) 0xa5;

    private final DataType type;
    private final long length;
    private final MemorySegment segment;
    private final long offset;

    public Elements(Arena arena, DataType type, long length, int misalignment) {
        this.type = type;
        this.length = length;
        segment = arena.allocate(bytes() + 2 * GUARD + misalignment, 64).fill(GUARD_VALUE);
        offset = GUARD + misalignment;
    }

    public long address() {
        return segment.address() + offset;
    }

    public long bytes() {
        return length * type.byteSize();
    }

    public long length() {
        return length;
    }

    public long get(long index) {
        long at = address() + index * type.byteSize();
        return switch (type.byteSize()) {
            case 1 -> Byte.toUnsignedLong(NativeMemory.getByte(at));
            case 2 -> Short.toUnsignedLong(NativeMemory.getShort(at));
            case 4 -> Integer.toUnsignedLong(NativeMemory.getInt(at));
            default -> NativeMemory.getLong(at);
        };
    }

    public void set(long index, long element) {
        long at = address() + index * type.byteSize();
        switch (type.byteSize()) {
            case 1 -> NativeMemory.setByte(at, (byte) element);
            case 2 -> NativeMemory.setShort(at, (short) element);
            case 4 -> NativeMemory.setInt(at, (int) element);
            default -> NativeMemory.setLong(at, element);
        }
    }

    public Elements fillRandom(Random random) {
        for (long i = 0; i < length; i++) {
            set(i, random(type, random));
        }
        return this;
    }

    /** Whether a byte outside the elements has changed. */
    public boolean spilled() {
        for (long i = 0; i < segment.byteSize(); i++) {
            boolean inside = i >= offset && i < offset + bytes();
            if (!inside && segment.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i) != GUARD_VALUE) {
                return true;
            }
        }
        return false;
    }

    /** Any bits, numbers of similar size, and the ends of the range, infinities and NaN among them. */
    public static long random(DataType type, Random random) {
        int bits = type.byteSize() * Byte.SIZE;
        long mask = -1L >>> Long.SIZE - bits;
        long sign = 1L << bits - 1;
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> random.nextLong() & mask;
            case 3 -> random.nextInt(4) | (random.nextBoolean() ? sign : 0);
            case 4 -> sign - 1 - random.nextInt(4) & mask;
            case 5 -> -1 - random.nextInt(4) & mask;
            default -> {
                float small = random.nextInt(201) - 100;
                if (type == DataType.FLOAT64) {
                    yield Double.doubleToRawLongBits(small / 8);
                }
                yield type.isFloat() ? Reference.encode(type, small / 8) : (long) small & mask;
            }
        };
    }
}
