package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Accesses the whole address space of the process, by absolute address.
 *
 * <p>Nothing is checked: an access to a wrong address ends the process, so addresses come from allocations whose
 * lifetime the caller guarantees. Values are in native byte order. The plain accessors take any alignment; the acquire,
 * release and atomic ones need natural alignment (4 or 8 bytes) and throw {@link IllegalArgumentException} without it.
 * All methods are small enough to inline and allocate nothing.
 */
public final class NativeMemory {
    /** All addresses; an offset into this segment is an absolute address. */
    @SuppressWarnings("restricted") // this is the purpose of the class
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final VarHandle LONG = JAVA_LONG.varHandle();

    private NativeMemory() {}

    /** Returns a range of memory. Closing the arena makes accesses throw, and frees nothing. */
    @SuppressWarnings("restricted") // this is the purpose of the class
    public static MemorySegment range(long address, long bytes, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
    }

    /** Returns a range of memory. Closing the arena frees the memory by {@code free}; accesses then throw. */
    @SuppressWarnings("restricted") // this is the purpose of the class
    public static MemorySegment range(long address, long bytes, Arena arena, Runnable free) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, _ -> free.run());
    }

    /** Returns the byte at {@code address}. */
    public static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    /** Writes the byte at {@code address}. */
    public static void setByte(long address, byte value) {
        ALL.set(JAVA_BYTE, address, value);
    }

    /** Returns the 2 bytes at {@code address}, of any alignment. */
    public static short getShort(long address) {
        return ALL.get(JAVA_SHORT_UNALIGNED, address);
    }

    /** Writes the 2 bytes at {@code address}, of any alignment. */
    public static void setShort(long address, short value) {
        ALL.set(JAVA_SHORT_UNALIGNED, address, value);
    }

    /** Returns the 4 bytes at {@code address}, of any alignment. */
    public static int getInt(long address) {
        return ALL.get(JAVA_INT_UNALIGNED, address);
    }

    /** Writes the 4 bytes at {@code address}, of any alignment. */
    public static void setInt(long address, int value) {
        ALL.set(JAVA_INT_UNALIGNED, address, value);
    }

    /** Returns the 8 bytes at {@code address}, of any alignment. */
    public static long getLong(long address) {
        return ALL.get(JAVA_LONG_UNALIGNED, address);
    }

    /** Writes the 8 bytes at {@code address}, of any alignment. */
    public static void setLong(long address, long value) {
        ALL.set(JAVA_LONG_UNALIGNED, address, value);
    }

    /** Returns the binary32 at {@code address}, of any alignment. */
    public static float getFloat(long address) {
        return ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    /** Writes the binary32 at {@code address}, of any alignment. */
    public static void setFloat(long address, float value) {
        ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
    }

    /** Returns the binary64 at {@code address}, of any alignment. */
    public static double getDouble(long address) {
        return ALL.get(JAVA_DOUBLE_UNALIGNED, address);
    }

    /** Writes the binary64 at {@code address}, of any alignment. */
    public static void setDouble(long address, double value) {
        ALL.set(JAVA_DOUBLE_UNALIGNED, address, value);
    }

    /** Reads the aligned int at {@code address} with acquire semantics. */
    public static int getIntAcquire(long address) {
        return (int) INT.getAcquire(ALL, address);
    }

    /** Writes the aligned int at {@code address} with release semantics. */
    public static void setIntRelease(long address, int value) {
        INT.setRelease(ALL, address, value);
    }

    /** Adds to the aligned int at {@code address}, as a volatile access; returns the previous value. */
    public static int getAndAddInt(long address, int delta) {
        return (int) INT.getAndAdd(ALL, address, delta);
    }

    /**
     * Replaces the aligned int at {@code address} if it is {@code expected}, as a volatile access; returns whether it
     * did.
     */
    public static boolean compareAndSetInt(long address, int expected, int value) {
        return INT.compareAndSet(ALL, address, expected, value);
    }

    /** Reads the aligned long at {@code address} with acquire semantics. */
    public static long getLongAcquire(long address) {
        return (long) LONG.getAcquire(ALL, address);
    }

    /** Writes the aligned long at {@code address} with release semantics. */
    public static void setLongRelease(long address, long value) {
        LONG.setRelease(ALL, address, value);
    }

    /** Adds to the aligned long at {@code address}, as a volatile access; returns the previous value. */
    public static long getAndAddLong(long address, long delta) {
        return (long) LONG.getAndAdd(ALL, address, delta);
    }

    /**
     * Replaces the aligned long at {@code address} if it is {@code expected}, as a volatile access; returns whether it
     * did.
     */
    public static boolean compareAndSetLong(long address, long expected, long value) {
        return LONG.compareAndSet(ALL, address, expected, value);
    }

    /** Copies {@code bytes} bytes; the ranges may overlap. */
    public static void copy(long source, long destination, long bytes) {
        MemorySegment.copy(ALL, source, ALL, destination, bytes);
    }

    /** Sets each of {@code bytes} bytes at {@code address} to {@code value}. */
    public static void fill(long address, long bytes, byte value) {
        // Fills in a loop, because a slice to fill is an object that the compiler does not always eliminate.
        long word = (value & 0xffL) * 0x0101_0101_0101_0101L;
        long at = 0;
        for (; at <= bytes - Long.BYTES; at += Long.BYTES) {
            setLong(address + at, word);
        }
        for (; at < bytes; at++) {
            setByte(address + at, value);
        }
    }
}
