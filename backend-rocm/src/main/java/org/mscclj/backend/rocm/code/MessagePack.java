package org.mscclj.backend.rocm.code;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads values in MessagePack, as far as compilers for AMD GPUs write them: maps, lists, texts, numbers, truth. */
final class MessagePack {
    private MessagePack() {}

    /**
     * Reads the next value: a {@link Map}, a {@link List}, a {@link String}, a {@link Long} or a {@link Boolean}.
     *
     * @throws IllegalArgumentException if it is another one
     */
    static Object read(ByteBuffer from) {
        int first = Byte.toUnsignedInt(from.get());
        if (first < 0x80) {
            return (long) first;
        }
        if (first < 0x90) {
            return map(from, first & 0xf);
        }
        if (first < 0xa0) {
            return list(from, first & 0xf);
        }
        if (first < 0xc0) {
            return text(from, first & 0x1f);
        }
        if (first >= 0xe0) {
            return (long) (byte) first;
        }
        return switch (first) {
            case 0xc2 -> false;
            case 0xc3 -> true;
            case 0xcc -> (long) Byte.toUnsignedInt(from.get());
            case 0xcd -> (long) Short.toUnsignedInt(from.getShort());
            case 0xce -> Integer.toUnsignedLong(from.getInt());
            case 0xcf, 0xd3 -> from.getLong();
            case 0xd0 -> (long) from.get();
            case 0xd1 -> (long) from.getShort();
            case 0xd2 -> (long) from.getInt();
            case 0xd9 -> text(from, Byte.toUnsignedInt(from.get()));
            case 0xda -> text(from, Short.toUnsignedInt(from.getShort()));
            case 0xdc -> list(from, Short.toUnsignedInt(from.getShort()));
            case 0xdd -> list(from, from.getInt());
            case 0xde -> map(from, Short.toUnsignedInt(from.getShort()));
            case 0xdf -> map(from, from.getInt());
            default -> throw new IllegalArgumentException("a value begins with byte " + first);
        };
    }

    private static Map<String, Object> map(ByteBuffer from, int entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries; i++) {
            String key = (String) read(from);
            map.put(key, read(from));
        }
        return map;
    }

    private static List<Object> list(ByteBuffer from, int elements) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < elements; i++) {
            list.add(read(from));
        }
        return list;
    }

    private static String text(ByteBuffer from, int bytes) {
        byte[] text = new byte[bytes];
        from.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
