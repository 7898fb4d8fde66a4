package org.mscclj.api.element;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Locale;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/** The primitive types of Java, as elements of arrays and NIO buffers. */
enum Elements {
    FLOAT,
    DOUBLE,
    INT,
    LONG,
    SHORT,
    BYTE;

    /** The primitive type whose arrays hold elements of a data type. */
    static Elements ofType(DataType type) {
        return switch (type) {
            case FLOAT32 -> FLOAT;
            case FLOAT64 -> DOUBLE;
            case INT32, UINT32 -> INT;
            case INT64, UINT64 -> LONG;
            case INT16, UINT16, FLOAT16, BFLOAT16 -> SHORT;
            case INT8, UINT8, FLOAT8_E4M3, FLOAT8_E5M2 -> BYTE;
        };
    }

    /** The primitive type that an NIO buffer consists of. */
    static Elements of(Buffer buffer, String what) {
        return switch (buffer) {
            case FloatBuffer _ -> FLOAT;
            case DoubleBuffer _ -> DOUBLE;
            case IntBuffer _ -> INT;
            case LongBuffer _ -> LONG;
            case ShortBuffer _ -> SHORT;
            case ByteBuffer _ -> BYTE;
            default ->
                throw InvalidArgumentException.of(
                        what, buffer.getClass().getName(), "a buffer of float, double, int, long, short or byte");
        };
    }

    ByteOrder orderOf(Buffer buffer) {
        return switch (buffer) {
            case FloatBuffer floats -> floats.order();
            case DoubleBuffer doubles -> doubles.order();
            case IntBuffer ints -> ints.order();
            case LongBuffer longs -> longs.order();
            case ShortBuffer shorts -> shorts.order();
            case ByteBuffer bytes -> bytes.order();
            default -> ByteOrder.nativeOrder();
        };
    }

    /** Refuses arrays and buffers of this primitive type for elements of another type. */
    void require(DataType type) {
        if (ofType(type) != this) {
            throw InvalidArgumentException.of(
                    "elements", label(), ofType(type).label() + ", which " + type + " elements are copied as");
        }
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
