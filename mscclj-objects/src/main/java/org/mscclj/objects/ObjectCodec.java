package org.mscclj.objects;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * Converts objects of one type to bytes and back. All ranks use the same codec. The bytes come from other ranks:
 * decoding must accept only what encoding produces, and must not execute anything that they name.
 *
 * @param <T> type of the objects
 */
public interface ObjectCodec<T> {
    /**
     * Encodes an object.
     *
     * @throws InvalidArgumentException if the object cannot be encoded
     */
    byte[] encode(T object);

    /**
     * Decodes an object from bytes, which the caller does not use afterwards.
     *
     * @throws InvalidArgumentException if the bytes are no encoded object
     */
    T decode(byte[] bytes);

    /** The codec of byte arrays; encoding copies them. */
    static ObjectCodec<byte[]> bytes() {
        return ByteCodec.INSTANCE;
    }

    /** The codec of strings as UTF-8; malformed text is refused. */
    static ObjectCodec<String> strings() {
        return StringCodec.INSTANCE;
    }

    /**
     * The codec of records as JSON, by Jackson: components by name, which may be records, lists, maps, numbers, strings
     * and so on. Only the given class and the declared classes of its components are instantiated, whatever the bytes
     * contain; missing and unknown components are refused. A named module must open the record's package to
     * {@code tools.jackson.databind}, or export it with a public record.
     *
     * @param type class of the records
     */
    static <R extends Record> ObjectCodec<R> records(Class<R> type) {
        return new RecordCodec<>(type);
    }
}
