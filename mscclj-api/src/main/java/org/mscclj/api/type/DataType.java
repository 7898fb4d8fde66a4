package org.mscclj.api.type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Element types of collective operations.
 *
 * <p>Multi-byte elements are in the machine's byte order. The narrow floating-point types accumulate in {@code float32}
 * and are rounded once, to nearest even, per stored result.
 */
public enum DataType {
    /** Signed 8-bit integer; arithmetic wraps. */
    INT8("int8", 1, Family.SIGNED),
    /** Unsigned 8-bit integer; arithmetic wraps, comparison is unsigned. */
    UINT8("uint8", 1, Family.UNSIGNED),
    /** Signed 16-bit integer; arithmetic wraps. */
    INT16("int16", 2, Family.SIGNED),
    /** Unsigned 16-bit integer; arithmetic wraps, comparison is unsigned. */
    UINT16("uint16", 2, Family.UNSIGNED),
    /** Signed 32-bit integer; arithmetic wraps. */
    INT32("int32", 4, Family.SIGNED),
    /** Unsigned 32-bit integer; arithmetic wraps, comparison is unsigned. */
    UINT32("uint32", 4, Family.UNSIGNED),
    /** Signed 64-bit integer; arithmetic wraps. */
    INT64("int64", 8, Family.SIGNED),
    /** Unsigned 64-bit integer; arithmetic wraps, comparison is unsigned. */
    UINT64("uint64", 8, Family.UNSIGNED),
    /** IEEE 754 binary16. */
    FLOAT16("float16", 2, Family.FLOAT),
    /** The upper half of IEEE 754 binary32. */
    BFLOAT16("bfloat16", 2, Family.FLOAT),
    /** IEEE 754 binary32. */
    FLOAT32("float32", 4, Family.FLOAT),
    /** IEEE 754 binary64. */
    FLOAT64("float64", 8, Family.FLOAT),
    /** OCP FP8 E4M3: no infinities, largest magnitude 448; conversion to it saturates. */
    FLOAT8_E4M3("float8_e4m3", 1, Family.FLOAT),
    /** OCP FP8 E5M2: largest finite magnitude 57,344; conversion to it saturates. */
    FLOAT8_E5M2("float8_e5m2", 1, Family.FLOAT);

    /** The encoding of an element. */
    public enum Family {
        /** Two's complement integer. */
        SIGNED,
        /** Unsigned integer. */
        UNSIGNED,
        /** Floating point. */
        FLOAT
    }

    private final String label;
    private final int byteSize;
    private final Family family;

    DataType(String label, int byteSize, Family family) {
        this.label = label;
        this.byteSize = byteSize;
        this.family = family;
    }

    /** The lower-case name used on command lines and in reports, for example {@code float16}. */
    public String label() {
        return label;
    }

    /** Size of an element, in bytes. */
    public int byteSize() {
        return byteSize;
    }

    /** The encoding of an element. */
    public Family family() {
        return family;
    }

    /** Whether this is one of the floating-point types. */
    public boolean isFloat() {
        return family == Family.FLOAT;
    }

    /**
     * The bits of the element nearest to a number. Floating-point types round once, to nearest even; fp8 saturates, and
     * the other types overflow to infinity. Integer types accept only whole numbers in their range.
     *
     * @return the element in the low {@link #byteSize} bytes; the bytes above are 0
     * @throws InvalidArgumentException if an integer type has no such element
     */
    public long encode(double value) {
        return switch (this) {
            case FLOAT16 -> signed(NarrowFloat.FLOAT16.encode(Math.abs(value)), value);
            case BFLOAT16 -> signed(NarrowFloat.BFLOAT16.encode(Math.abs(value)), value);
            case FLOAT8_E4M3 -> signed(NarrowFloat.E4M3.encode(Math.abs(value)), value);
            case FLOAT8_E5M2 -> signed(NarrowFloat.E5M2.encode(Math.abs(value)), value);
            case FLOAT32 -> Integer.toUnsignedLong(Float.floatToIntBits((float) value));
            case FLOAT64 -> Double.doubleToLongBits(value);
            default -> {
                BigDecimal exact = Double.isFinite(value) ? new BigDecimal(value).stripTrailingZeros() : null;
                if (exact == null || exact.scale() > 0) {
                    throw InvalidArgumentException.of("value", value, integers());
                }
                yield encode(exact.toBigIntegerExact(), value);
            }
        };
    }

    /**
     * The bits of the element nearest to a whole number; see {@link #encode(double)}. A floating-point type rounds the
     * number to {@code float64} first where it has more than 53 bits.
     *
     * @throws InvalidArgumentException if an integer type has no such element
     */
    public long encode(long value) {
        return isFloat() ? encode((double) value) : encode(BigInteger.valueOf(value), value);
    }

    private long encode(BigInteger value, Object given) {
        if (value.compareTo(least()) < 0 || value.compareTo(greatest()) > 0) {
            throw InvalidArgumentException.of("value", given, integers());
        }
        return value.longValue() & (-1L >>> (Long.SIZE - byteSize * Byte.SIZE));
    }

    private String integers() {
        return "for " + label + " a whole number from " + least() + " to " + greatest();
    }

    private BigInteger least() {
        return family == Family.SIGNED
                ? BigInteger.ONE.shiftLeft(byteSize * Byte.SIZE - 1).negate()
                : BigInteger.ZERO;
    }

    private BigInteger greatest() {
        int bits = byteSize * Byte.SIZE - (family == Family.SIGNED ? 1 : 0);
        return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    }

    private long signed(int encoding, double value) {
        boolean negative = !Double.isNaN(value) && Double.doubleToRawLongBits(value) < 0;
        return negative ? encoding | 1L << (byteSize * Byte.SIZE - 1) : encoding;
    }

    /**
     * The value of an element, as {@code float64}: exact, except for 64-bit integers of more than 53 bits, which are
     * rounded to nearest even.
     *
     * @param bits the element in the low {@link #byteSize} bytes; the bytes above are ignored
     */
    public double decode(long bits) {
        int unused = Long.SIZE - byteSize * Byte.SIZE;
        long extended = bits << unused >> unused;
        long plain = bits << unused >>> unused;
        return switch (this) {
            case INT8, INT16, INT32, INT64 -> extended;
            case UINT8, UINT16, UINT32 -> plain;
            case UINT64 -> new BigInteger(Long.toUnsignedString(bits)).doubleValue();
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            case FLOAT64 -> Double.longBitsToDouble(bits);
            case FLOAT16 -> signedNumber(NarrowFloat.FLOAT16, extended);
            case BFLOAT16 -> signedNumber(NarrowFloat.BFLOAT16, extended);
            case FLOAT8_E4M3 -> signedNumber(NarrowFloat.E4M3, extended);
            case FLOAT8_E5M2 -> signedNumber(NarrowFloat.E5M2, extended);
        };
    }

    private double signedNumber(NarrowFloat format, long extended) {
        double magnitude = format.decode((int) extended & ((1 << (byteSize * Byte.SIZE - 1)) - 1));
        return extended < 0 ? -magnitude : magnitude;
    }

    /**
     * The type with the given {@linkplain #label label}; case does not matter, and {@code half}, {@code float},
     * {@code double} are accepted.
     *
     * @throws InvalidArgumentException if there is none; the message lists the labels
     */
    public static DataType parse(String text) {
        String wanted = switch (text.toLowerCase(Locale.ROOT)) {
            case "half" -> "float16";
            case "float" -> "float32";
            case "double" -> "float64";
            default -> text.toLowerCase(Locale.ROOT);
        };
        for (DataType type : values()) {
            if (type.label.equals(wanted)) {
                return type;
            }
        }
        throw InvalidArgumentException.of(
                "data type",
                text,
                Arrays.stream(values()).map(DataType::label).collect(Collectors.joining(", ", "one of ", "")));
    }

    @Override
    public String toString() {
        return label;
    }
}
