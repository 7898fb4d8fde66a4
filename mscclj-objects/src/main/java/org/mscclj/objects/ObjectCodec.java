package org.mscclj.objects;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * Turns objects of one type into bytes and back; equal on all ranks. Bytes come from other ranks: decoding must accept
 * nothing but what encoding gives, and run nothing that they name.
 *
 * @param <T> the type
 */
public interface ObjectCodec<T> {
    /**
     * The bytes of an object.
     *
     * @throws InvalidArgumentException if it has none
     */
    byte[] encode(T object);

    /**
     * The object of bytes, which the caller gives away.
     *
     * @throws InvalidArgumentException if they are of none
     */
    T decode(byte[] bytes);

    /** Bytes as they are; encoding copies them. */
    static ObjectCodec<byte[]> bytes() {
        return ByteCodec.INSTANCE;
    }

    /** Strings as UTF-8; what is no well-formed text is refused. */
    static ObjectCodec<String> strings() {
        return StringCodec.INSTANCE;
    }

    /**
     * Records as JSON, by Jackson: their components by name, which may be records, lists, maps, numbers, texts and so
     * on. Only the given class and the declared classes of its components are made, whatever the bytes say; components
     * that are missing or not known are refused. A named module must open the record's package to
     * {@code tools.jackson.databind}, or export it and have the record public.
     *
     * @param type the record's class
     */
    static <R extends Record> ObjectCodec<R> records(Class<R> type) {
        return new RecordCodec<>(type);
    }
}
