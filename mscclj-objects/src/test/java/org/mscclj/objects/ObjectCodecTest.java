package org.mscclj.objects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

/** What codecs encode they decode, and nothing else. */
class ObjectCodecTest {
    /** A part of a record. */
    public record Part(String name, double weight) {}

    /** A record of everything. */
    public record Whole(int number, long big, boolean yes, List<Part> parts, Map<String, Integer> counts) {}

    private static final Whole WHOLE = new Whole(
            -1, Long.MIN_VALUE, true, List.of(new Part("ä\"\n", 0.1), new Part("", Double.MAX_VALUE)), Map.of("a", 1));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void recordsComeBack() {
        ObjectCodec<Whole> codec = ObjectCodec.records(Whole.class);
        assertEquals(WHOLE, codec.decode(codec.encode(WHOLE)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"name\":\"a\"}",
                "{\"name\":\"a\",\"weight\":null}",
                "{\"name\":\"a\",\"weight\":1,\"more\":2}",
                "{\"name\":\"a\",\"weight\":1} {}",
                "{\"@class\":\"java.lang.ProcessBuilder\",\"name\":\"a\",\"weight\":1}",
                "{\"name\":\"a\",\"weight\":\"heavy\"}"
            })
    void otherBytesAreNoRecords(String json) {
        ObjectCodec<Part> codec = ObjectCodec.records(Part.class);
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> codec.decode(bytes(json)));
        assertTrue(String.valueOf(e.getMessage()).contains(Part.class.getName()), e::getMessage);
    }

    @Test
    void nothingButRecordsHasARecordCodec() {
        assertThrows(InvalidArgumentException.class, () -> ObjectCodec.records(Record.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "ключ", "\uD83D\uDE00", "\0"})
    void stringsComeBack(String text) {
        assertArrayEquals(bytes(text), ObjectCodec.strings().encode(text));
        assertEquals(text, ObjectCodec.strings().decode(bytes(text)));
    }

    @Test
    void whatIsNoTextIsRefused() {
        assertThrows(InvalidArgumentException.class, () -> ObjectCodec.strings().encode("\uD83D"));
        assertThrows(InvalidArgumentException.class, () -> ObjectCodec.strings().decode(new byte[] {(byte) 0xff}));
    }

    @Test
    void bytesAreCopied() {
        byte[] bytes = {1, 2};
        byte[] encoded = ObjectCodec.bytes().encode(bytes);
        assertArrayEquals(bytes, encoded);
        assertNotSame(bytes, encoded);
    }
}
