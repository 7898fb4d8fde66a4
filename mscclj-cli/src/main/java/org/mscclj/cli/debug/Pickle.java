package org.mscclj.cli.debug;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes values in protocol 2 of Python's pickle module. The output names no Python class. */
final class Pickle {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Pickle() {}

    /**
     * A pair, which becomes a tuple.
     *
     * @param first any value
     * @param second likewise
     */
    record Pair(Object first, Object second) {}

    /**
     * Returns the bytes of a value.
     *
     * @param value a Map, which becomes a dict in its order; a List; a {@link Pair}; a String; an Integer or a Long; a
     *     Boolean; or an Optional, which becomes its value, or None
     * @throws IllegalArgumentException if it is or contains another type
     */
    static byte[] of(Object value) {
        Pickle pickle = new Pickle();
        pickle.code(0x80).code(2); // the protocol
        pickle.write(value);
        return pickle.code('.').bytes.toByteArray();
    }

    private void write(Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                code('}').code('(');
                map.forEach((key, held) -> {
                    write(key);
                    write(held);
                });
                code('u');
            }
            case List<?> list -> {
                code(']').code('(');
                list.forEach(this::write);
                code('e');
            }
            case Pair pair -> {
                write(pair.first);
                write(pair.second);
                code(0x86);
            }
            case String text -> sized('X', Integer.BYTES, text.getBytes(StandardCharsets.UTF_8));
            case Integer number -> integer(number);
            case Long number -> integer(number);
            case Boolean truth -> code(truth ? 0x88 : 0x89);
            case Optional<?> optional -> optional.ifPresentOrElse(this::write, () -> code('N'));
            default ->
                throw new IllegalArgumentException("cannot pickle a " + value.getClass()
                        + "; allowed: maps, lists, pairs, strings, integers, booleans, and Optional of these");
        }
    }

    /** Writes an integer as the shortest little-endian two's complement. */
    private void integer(long number) {
        byte[] bigEndian = BigInteger.valueOf(number).toByteArray();
        byte[] littleEndian = new byte[bigEndian.length];
        for (int i = 0; i < bigEndian.length; i++) {
            littleEndian[i] = bigEndian[bigEndian.length - 1 - i];
        }
        sized(0x8a, Byte.BYTES, littleEndian);
    }

    private void sized(int code, int sizeBytes, byte[] value) {
        code(code);
        bytes.write(
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(value.length)
                        .array(),
                0,
                sizeBytes);
        bytes.writeBytes(value);
    }

    private Pickle code(int code) {
        bytes.write(code);
        return this;
    }
}
