package org.mscclj.support.interpreter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.support.memory.Memory;

/** Elements of a type as their encodings, in the low bytes of longs; the other bytes are zeros. */
final class EncodedElements {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private EncodedElements() {}

    /** The encoding of the element that begins at a byte. */
    static long get(DataType type, byte[] bytes, int at) {
        return switch (type.byteSize()) {
            case Byte.BYTES -> Byte.toUnsignedLong(bytes[at]);
            case Short.BYTES -> Short.toUnsignedLong((short) SHORT.get(bytes, at));
            case Integer.BYTES -> Integer.toUnsignedLong((int) INT.get(bytes, at));
            default -> (long) LONG.get(bytes, at);
        };
    }

    /** Sets the element that begins at a byte; only the low bytes of the encoding count. */
    static void set(DataType type, byte[] bytes, int at, long encoding) {
        switch (type.byteSize()) {
            case Byte.BYTES -> bytes[at] = (byte) encoding;
            case Short.BYTES -> SHORT.set(bytes, at, (short) encoding);
            case Integer.BYTES -> INT.set(bytes, at, (int) encoding);
            default -> LONG.set(bytes, at, encoding);
        }
    }

    /** The encoding of the element at an address. */
    static long read(DataType type, Memory memory, long address) {
        byte[] bytes = new byte[type.byteSize()];
        memory.read(address, bytes, 0, bytes.length);
        return get(type, bytes, 0);
    }

    /** Writes the element at an address. */
    static void write(DataType type, Memory memory, long address, long encoding) {
        byte[] bytes = new byte[type.byteSize()];
        set(type, bytes, 0, encoding);
        memory.write(address, bytes, 0, bytes.length);
    }

    /** The value of an integer: widened by its sign, or by zeros. */
    static long widen(DataType type, long encoding) {
        int unused = Long.SIZE - type.byteSize() * Byte.SIZE;
        return type.family() == Family.SIGNED ? encoding << unused >> unused : encoding;
    }
}
