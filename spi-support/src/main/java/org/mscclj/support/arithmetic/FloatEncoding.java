package org.mscclj.support.arithmetic;

import org.mscclj.api.type.DataType;

/**
 * The encoding of a floating-point element whose arithmetic is in binary32: decoded exactly, and rounded to nearest
 * even when it is encoded. The fp8 types saturate. Instances are immutable.
 */
public abstract sealed class FloatEncoding {
    private FloatEncoding() {}

    /** Bytes of an element. */
    public abstract int bytes();

    /** The value of an encoding, of which the low {@link #bytes} count. */
    public abstract float decode(int encoding);

    /** The encoding nearest to a value, in the low {@link #bytes}; NaN becomes the format's canonical NaN. */
    public abstract int encode(float value);

    /** The encoding of results that are one of the operands, which are neither rounded nor saturated. */
    public static FloatEncoding ofSelected(DataType type) {
        return type == DataType.FLOAT8_E5M2 ? new Float8(MiniFloat.E5M2_SELECTED) : of(type);
    }

    /** The encoding of a type. */
    public static FloatEncoding of(DataType type) {
        return switch (type) {
            case FLOAT32 -> new Float32();
            case BFLOAT16 -> new Bfloat16();
            case FLOAT16 -> new Float16();
            case FLOAT8_E4M3 -> new Float8(MiniFloat.E4M3);
            case FLOAT8_E5M2 -> new Float8(MiniFloat.E5M2);
            default -> throw new IllegalArgumentException(type + " is not computed in binary32");
        };
    }

    private static final class Float32 extends FloatEncoding {
        @Override
        public int bytes() {
            return Float.BYTES;
        }

        @Override
        public float decode(int encoding) {
            return Float.intBitsToFloat(encoding);
        }

        @Override
        public int encode(float value) {
            return Float.floatToIntBits(value);
        }
    }

    private static final class Bfloat16 extends FloatEncoding {
        private static final int NAN = 0x7fc0;

        @Override
        public int bytes() {
            return Short.BYTES;
        }

        @Override
        public float decode(int encoding) {
            return Float.intBitsToFloat(encoding << Short.SIZE);
        }

        @Override
        public int encode(float value) {
            int bits = Float.floatToRawIntBits(value);
            int rounded = (bits + 0x7fff + ((bits >>> Short.SIZE) & 1)) >>> Short.SIZE;
            return Float.isNaN(value) ? NAN : rounded;
        }
    }

    /** Uses the JDK's conversions, which are single instructions where the processor has them. */
    private static final class Float16 extends FloatEncoding {
        @Override
        public int bytes() {
            return Short.BYTES;
        }

        @Override
        public float decode(int encoding) {
            return Float.float16ToFloat((short) encoding);
        }

        @Override
        public int encode(float value) {
            return Float.isNaN(value) ? MiniFloat.FLOAT16.nan() : Float.floatToFloat16(value);
        }
    }

    private static final class Float8 extends FloatEncoding {
        private static final int SIGN = 0x80;
        private static final int MASK = 0xff;

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
        public int bytes() {
            return Byte.BYTES;
        }

        @Override
        public float decode(int encoding) {
            return decoded[encoding & MASK];
        }

        @Override
        public int encode(float value) {
            int encoding = layout.encode(Math.abs(value));
            int sign = Float.isNaN(value) ? 0 : (Float.floatToRawIntBits(value) >>> (Integer.SIZE - Byte.SIZE)) & SIGN;
            return encoding | sign;
        }
    }
}
