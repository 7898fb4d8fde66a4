package org.mscclj.backend.host.kernel;

import org.mscclj.api.type.DataType;
import org.mscclj.posix.NativeMemory;

/**
 * The format of a floating-point element in memory, whose arithmetic is in binary32: widened exactly, rounded to
 * nearest even.
 */
abstract sealed class FloatFormat {
    /** Bytes of an element. */
    abstract int bytes();

    abstract float load(long address);

    /** Rounds; NaN becomes the format's canonical NaN. */
    abstract void store(long address, float value);

    /** The format of results that are one of the operands, which are neither rounded nor saturated. */
    static FloatFormat ofSelected(DataType type) {
        return type == DataType.FLOAT8_E5M2 ? new Float8(MiniFloat.E5M2_SELECTED) : of(type);
    }

    static FloatFormat of(DataType type) {
        return switch (type) {
            case FLOAT32 -> new Float32();
            case BFLOAT16 -> new Bfloat16();
            case FLOAT16 -> new Float16();
            case FLOAT8_E4M3 -> new Float8(MiniFloat.E4M3);
            case FLOAT8_E5M2 -> new Float8(MiniFloat.E5M2);
            default -> throw new IllegalArgumentException(type + " is not computed in binary32");
        };
    }

    private static final class Float32 extends FloatFormat {
        @Override
        int bytes() {
            return Float.BYTES;
        }

        @Override
        float load(long address) {
            return NativeMemory.getFloat(address);
        }

        @Override
        void store(long address, float value) {
            NativeMemory.setInt(address, Float.floatToIntBits(value));
        }
    }

    private static final class Bfloat16 extends FloatFormat {
        private static final short NAN = 0x7fc0;

        @Override
        int bytes() {
            return Short.BYTES;
        }

        @Override
        float load(long address) {
            return Float.intBitsToFloat(NativeMemory.getShort(address) << Short.SIZE);
        }

        @Override
        void store(long address, float value) {
            int bits = Float.floatToRawIntBits(value);
            int rounded = (bits + 0x7fff + ((bits >>> Short.SIZE) & 1)) >>> Short.SIZE;
            NativeMemory.setShort(address, Float.isNaN(value) ? NAN : (short) rounded);
        }
    }

    /** Uses the JDK's conversions, which are single instructions where the processor has them. */
    private static final class Float16 extends FloatFormat {
        @Override
        int bytes() {
            return Short.BYTES;
        }

        @Override
        float load(long address) {
            return Float.float16ToFloat(NativeMemory.getShort(address));
        }

        @Override
        void store(long address, float value) {
            short encoding = Float.isNaN(value) ? (short) MiniFloat.FLOAT16.nan() : Float.floatToFloat16(value);
            NativeMemory.setShort(address, encoding);
        }
    }

    private static final class Float8 extends FloatFormat {
        private static final int SIGN = 0x80;

        private final MiniFloat layout;
        private final float[] decoded = new float[1 << Byte.SIZE];

        Float8(MiniFloat layout) {
            this.layout = layout;
            for (int encoding = 0; encoding < SIGN; encoding++) {
                decoded[encoding] = layout.decode(encoding);
                decoded[encoding | SIGN] = -decoded[encoding];
            }
        }

        @Override
        int bytes() {
            return Byte.BYTES;
        }

        @Override
        float load(long address) {
            return decoded[Byte.toUnsignedInt(NativeMemory.getByte(address))];
        }

        @Override
        void store(long address, float value) {
            int encoding = layout.encode(Math.abs(value));
            int sign = Float.isNaN(value) ? 0 : (Float.floatToRawIntBits(value) >>> (Integer.SIZE - Byte.SIZE)) & SIGN;
            NativeMemory.setByte(address, (byte) (encoding | sign));
        }
    }
}
