package org.mscclj.backend.host.kernel;

import java.math.BigInteger;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.api.type.ReduceOp.Kind;

/**
 * Element arithmetic from the definitions, as slow and plain as can be. Elements are their bits in the lower end of a
 * long.
 */
public final class Reference {
    /** The operations that have a kernel. */
    public static final List<Kind> KINDS =
            List.of(Kind.SUM, Kind.PRODUCT, Kind.MIN, Kind.MAX, Kind.BAND, Kind.BOR, Kind.BXOR);

    private static final Map<DataType, Narrow> NARROW = new EnumMap<>(Map.of(
            DataType.FLOAT16, new Narrow(16, 10, 15, 0x7c00, 0x7c00, 0x7e00),
            DataType.BFLOAT16, new Narrow(16, 7, 127, 0x7f80, 0x7f80, 0x7fc0),
            DataType.FLOAT8_E4M3, new Narrow(8, 3, 7, 0x7f, 0x7e, 0x7f),
            DataType.FLOAT8_E5M2, new Narrow(8, 2, 15, 0x7c, 0x7b, 0x7f)));

    private Reference() {}

    public static long reduce(DataType type, Kind kind, long... elements) {
        if (type == DataType.FLOAT64) {
            double result = Double.longBitsToDouble(elements[0]);
            for (int i = 1; i < elements.length; i++) {
                result = apply(kind, result, Double.longBitsToDouble(elements[i]), false);
            }
            return Double.doubleToLongBits(result);
        }
        if (type.isFloat()) {
            double result = decode(type, elements[0]);
            for (int i = 1; i < elements.length; i++) {
                result = apply(kind, result, decode(type, elements[i]), true);
            }
            boolean selected = kind == Kind.MIN || kind == Kind.MAX;
            if (selected && type == DataType.FLOAT8_E5M2 && Double.isInfinite(result)) {
                return result > 0 ? 0x7c : 0xfc; // an operand as it is, not a number that saturates
            }
            return encode(type, (float) result);
        }
        BigInteger result = integer(type, elements[0]);
        for (int i = 1; i < elements.length; i++) {
            BigInteger next = integer(type, elements[i]);
            BigInteger combined = switch (kind) {
                case SUM -> result.add(next);
                case PRODUCT -> result.multiply(next);
                case MIN -> result.min(next);
                case MAX -> result.max(next);
                case BAND -> result.and(next);
                case BOR -> result.or(next);
                case BXOR -> result.xor(next);
                default -> throw new AssertionError(kind);
            };
            result = integer(type, combined.longValue());
        }
        return bits(type, result);
    }

    public static long scale(DataType type, long element, double factor) {
        if (type == DataType.FLOAT64) {
            return Double.doubleToLongBits(Double.longBitsToDouble(element) * factor);
        }
        return type.isFloat()
                ? encode(type, (float) decode(type, element) * (float) factor)
                : bits(type, integer(type, element).multiply(BigInteger.valueOf((long) factor)));
    }

    public static long divide(DataType type, long element, double divisor) {
        if (type == DataType.FLOAT64) {
            return Double.doubleToLongBits(Double.longBitsToDouble(element) / divisor);
        }
        return encode(type, (float) decode(type, element) / (float) divisor);
    }

    /** The number that an element means. */
    public static double decode(DataType type, long element) {
        return type == DataType.FLOAT32
                ? Float.intBitsToFloat((int) element)
                : NARROW.get(type).decode((int) element);
    }

    /** The element nearest to a number, ties to even. */
    public static long encode(DataType type, float value) {
        return type == DataType.FLOAT32
                ? Integer.toUnsignedLong(Float.floatToIntBits(value))
                : NARROW.get(type).encode(value);
    }

    /** A sum or product of two binary32 numbers in binary64, rounded to binary32, is the binary32 one. */
    private static double apply(Kind kind, double left, double right, boolean single) {
        double result = switch (kind) {
            case SUM -> left + right;
            case PRODUCT -> left * right;
            case MIN, MAX -> {
                if (Double.isNaN(left) || Double.isNaN(right)) {
                    yield Double.NaN;
                }
                yield Double.compare(left, right) < 0 == (kind == Kind.MIN) ? left : right;
            }
            default -> throw new AssertionError(kind);
        };
        return single ? (float) result : result;
    }

    public static BigInteger integer(DataType type, long bits) {
        int unused = Long.SIZE - type.byteSize() * Byte.SIZE;
        if (type.family() == Family.SIGNED) {
            return BigInteger.valueOf(bits << unused >> unused);
        }
        return new BigInteger(Long.toUnsignedString(bits << unused >>> unused));
    }

    public static long bits(DataType type, BigInteger value) {
        int unused = Long.SIZE - type.byteSize() * Byte.SIZE;
        return value.longValue() << unused >>> unused;
    }

    /** A format by the table of its magnitudes. */
    private static final class Narrow {
        private final int sign;
        private final int firstSpecial;
        private final int overflow;
        private final int nan;
        /** Of each finite magnitude, and what the one after would be. */
        private final double[] magnitudes;

        Narrow(int bits, int mantissaBits, int bias, int firstSpecial, int overflow, int nan) {
            this.sign = 1 << bits - 1;
            this.firstSpecial = firstSpecial;
            this.overflow = overflow;
            this.nan = nan;
            magnitudes = new double[firstSpecial + 1];
            for (int encoding = 0; encoding <= firstSpecial; encoding++) {
                int exponent = encoding >> mantissaBits;
                int mantissa = encoding & (1 << mantissaBits) - 1;
                magnitudes[encoding] = exponent == 0
                        ? Math.scalb((double) mantissa, 1 - bias - mantissaBits)
                        : Math.scalb((double) (mantissa + (1 << mantissaBits)), exponent - bias - mantissaBits);
            }
        }

        double decode(int element) {
            int encoding = element & sign - 1;
            double magnitude;
            if (encoding < firstSpecial) {
                magnitude = magnitudes[encoding];
            } else if (encoding == firstSpecial && firstSpecial != nan) {
                magnitude = Double.POSITIVE_INFINITY;
            } else {
                magnitude = Double.NaN;
            }
            return (element & sign) == 0 ? magnitude : -magnitude;
        }

        int encode(float value) {
            if (Float.isNaN(value)) {
                return nan;
            }
            double wanted = Math.abs((double) value);
            int encoding = 0;
            for (int step = Integer.highestOneBit(firstSpecial); step > 0; step >>= 1) {
                if (encoding + step <= firstSpecial && magnitudes[encoding + step] <= wanted) {
                    encoding += step;
                }
            }
            if (encoding < firstSpecial) {
                double twoMiddles = magnitudes[encoding] + magnitudes[encoding + 1];
                boolean odd = (encoding & 1) == 1;
                encoding += 2 * wanted > twoMiddles || 2 * wanted == twoMiddles && odd ? 1 : 0;
            }
            int result = Math.min(encoding, overflow);
            return Math.copySign(1, value) < 0 ? result | sign : result;
        }
    }
}
