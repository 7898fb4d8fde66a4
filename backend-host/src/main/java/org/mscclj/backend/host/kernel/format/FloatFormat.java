package org.mscclj.backend.host.kernel.format;

import org.mscclj.api.type.DataType;
import org.mscclj.posix.NativeMemory;
import org.mscclj.support.arithmetic.FloatEncoding;

/**
 * A floating-point element in memory, whose arithmetic is in binary32. The implementations are records: a compiler
 * trusts their fields, so that a kernel whose format is constant has no virtual call to its encoding.
 */
public sealed interface FloatFormat {
    /** Bytes of an element. */
    int bytes();

    float load(long address);

    /** Rounds; NaN becomes the format's canonical NaN. */
    void store(long address, float value);

    /** The format of results that are one of the operands, which are neither rounded nor saturated. */
    static FloatFormat ofSelected(DataType type) {
        return of(FloatEncoding.ofSelected(type));
    }

    static FloatFormat of(DataType type) {
        return of(FloatEncoding.of(type));
    }

    private static FloatFormat of(FloatEncoding encoding) {
        return switch (encoding.bytes()) {
            case Byte.BYTES -> new OneByte(encoding);
            case Short.BYTES -> new TwoBytes(encoding);
            default -> new FourBytes(encoding);
        };
    }

    /** An element of 8 bits. */
    record OneByte(FloatEncoding encoding) implements FloatFormat {
        @Override
        public int bytes() {
            return Byte.BYTES;
        }

        @Override
        public float load(long address) {
            return encoding.decode(NativeMemory.getByte(address));
        }

        @Override
        public void store(long address, float value) {
            NativeMemory.setByte(address, (byte) encoding.encode(value));
        }
    }

    /** An element of 16 bits. */
    record TwoBytes(FloatEncoding encoding) implements FloatFormat {
        @Override
        public int bytes() {
            return Short.BYTES;
        }

        @Override
        public float load(long address) {
            return encoding.decode(NativeMemory.getShort(address));
        }

        @Override
        public void store(long address, float value) {
            NativeMemory.setShort(address, (short) encoding.encode(value));
        }
    }

    /** An element of 32 bits. */
    record FourBytes(FloatEncoding encoding) implements FloatFormat {
        @Override
        public int bytes() {
            return Float.BYTES;
        }

        @Override
        public float load(long address) {
            return encoding.decode(NativeMemory.getInt(address));
        }

        @Override
        public void store(long address, float value) {
            NativeMemory.setInt(address, encoding.encode(value));
        }
    }
}
