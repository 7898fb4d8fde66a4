package org.mscclj.api.type;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Element types of collective operations.
 *
 * <p>Multi-byte elements are in the machine's byte order. The narrow floating-point types accumulate
 * in {@code float32} and are rounded once, to nearest even, per stored result.
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

    /** How an element's bits are read. */
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

    /** How an element's bits are read. */
    public Family family() {
        return family;
    }

    /** Whether this is one of the floating-point types. */
    public boolean isFloat() {
        return family == Family.FLOAT;
    }

    /**
     * The type with the given {@linkplain #label label}; case does not matter, and {@code half}, {@code
     * float}, {@code double} are accepted.
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
