package org.mscclj.objects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

/** Codecs decode what they encode, and nothing else. */
class ObjectCodecTest {
    /** A part of a record. */
    public record Part(String name, double weight) {}

    /** A record with components of all kinds. */
    public record Whole(int number, long big, boolean yes, List<Part> parts, Map<String, Integer> counts) {}

    /** A record with components of unbounded size. */
    public record Loose(BigDecimal number, String text, Map<String, Integer> counts) {}

    private static final Whole WHOLE = new Whole(
            -1, Long.MIN_VALUE, true, List.of(new Part("ä\"\n", 0.1), new Part("", Double.MAX_VALUE)), Map.of("a", 1));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void recordsAreDecodedEqual() {
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
    void otherBytesAreRefused(String json) {
        ObjectCodec<Part> codec = ObjectCodec.records(Part.class);
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> codec.decode(bytes(json)));
        assertTrue(String.valueOf(e.getMessage()).contains(Part.class.getName()), e::getMessage);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"number\":1,\"number\":2,\"text\":\"a\",\"counts\":{}}",
                "{\"number\":1,\"text\":\"a\",\"counts\":{\"a\":1,\"a\":2}}",
                "{\"number\":1,\"text\":\"\\ud83d\",\"counts\":{}}",
                "{\"number\":1,\"text\":\"\\ude00\\ud83d\",\"counts\":{}}",
                "{\"number\":1,\"text\":\"a\",\"counts\":{\"\\ude00\":1}}",
                "{\"number\":1e1000000000,\"text\":\"a\",\"counts\":{}}",
                "{\"number\":1e-99999999999,\"text\":\"a\",\"counts\":{}}"
            })
    void ambiguousOrUnboundedInputIsRefused(String json) {
        ObjectCodec<Loose> codec = ObjectCodec.records(Loose.class);
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> codec.decode(bytes(json)));
        assertTrue(String.valueOf(e.getMessage()).contains(Loose.class.getName()), e::getMessage);
    }

    /** Numbers of each type of a component. */
    record Numbers(
            double one,
            @Nullable Float boxed,
            List<Double> several,
            float[] primitives,
            @Nullable Object any) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e999, null, [], [], null",
                "-1e999, null, [], [], null",
                "1, 1e39, [], [], null",
                "1, null, [1e999], [], null",
                "1, null, [], [-1e39], null",
                "1, null, [], [], 1e999"
            })
    void numbersBeyondTheirTypeAreRefused(String numbers) {
        String[] values = numbers.split(", ");
        String json =
                ("{\"one\":%s,\"boxed\":%s,\"several\":%s,\"primitives\":%s,\"any\":%s}").formatted((Object[]) values);
        ObjectCodec<Numbers> codec = ObjectCodec.records(Numbers.class);
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> codec.decode(bytes(json)));
        assertTrue(String.valueOf(e.getMessage()).contains("too large for"), e::getMessage);
    }

    @Test
    void numbersThatAreNotFiniteAreSentAsText() {
        ObjectCodec<Numbers> codec = ObjectCodec.records(Numbers.class);
        Numbers sent = new Numbers(
                Double.NEGATIVE_INFINITY, Float.NaN, List.of(Double.MAX_VALUE), new float[] {Float.MAX_VALUE}, 1e308);
        Numbers received = codec.decode(codec.encode(sent));
        assertEquals(sent.one(), received.one());
        assertEquals(sent.boxed(), received.boxed());
        assertEquals(sent.several(), received.several());
        assertEquals(Float.MAX_VALUE, received.primitives()[0]);
        assertEquals(1e308, received.any());
    }

    @Test
    void malformedUtf8IsRefused() {
        byte[] json = bytes("{\"number\":1,\"text\":\"?\",\"counts\":{}}");
        json[new String(json, StandardCharsets.UTF_8).indexOf('?')] = (byte) 0x80;
        ObjectCodec<Loose> codec = ObjectCodec.records(Loose.class);
        assertThrows(InvalidArgumentException.class, () -> codec.decode(json));
    }

    @Test
    void malformedTextInARecordIsNotEncoded() {
        ObjectCodec<Loose> codec = ObjectCodec.records(Loose.class);
        assertThrows(InvalidArgumentException.class, () -> codec.encode(new Loose(BigDecimal.ONE, "\uD83D", Map.of())));
        Loose large = new Loose(BigDecimal.ONE.scaleByPowerOfTen(100_000), "", Map.of());
        assertThrows(InvalidArgumentException.class, () -> codec.encode(large));
        Loose pairs = new Loose(new BigDecimal("1e300"), "\uD83D\uDE00", Map.of("\uD83D\uDE00", 1));
        assertEquals(pairs, codec.decode(codec.encode(pairs)));
    }

    /** Names with colliding hashes must not cost quadratic time: 65,536 of them took seconds. */
    @Test
    void collidingNamesCostNoMoreThanOthers() {
        ObjectCodec<Loose> codec = ObjectCodec.records(Loose.class);
        byte[] plain = withNames(i -> "%016x".formatted(i));
        byte[] colliding = withNames(ObjectCodecTest::colliding);
        codec.decode(plain); // loads the classes
        long start = System.nanoTime();
        codec.decode(plain);
        long usual = System.nanoTime() - start;
        start = System.nanoTime();
        assertEquals(NAMES, codec.decode(colliding).counts().size());
        long taken = System.nanoTime() - start;
        assertTrue(taken < 20 * usual + 1_000_000_000L, () -> taken + " ns, and " + usual + " ns for others");
    }

    private static final int NAMES = 1 << 16;

    private static byte[] withNames(IntFunction<String> name) {
        String counts = IntStream.range(0, NAMES)
                .mapToObj(i -> '"' + name.apply(i) + "\":1")
                .collect(Collectors.joining(","));
        return bytes("{\"number\":1,\"text\":\"\",\"counts\":{" + counts + "}}");
    }

    private static String colliding(int number) {
        return IntStream.range(0, 16)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB") // with equal hashes
                .collect(Collectors.joining());
    }

    @Test
    void onlyRecordsHaveARecordCodec() {
        assertThrows(InvalidArgumentException.class, () -> ObjectCodec.records(Record.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "ключ", "\uD83D\uDE00", "\0"})
    void stringsAreDecodedEqual(String text) {
        assertArrayEquals(bytes(text), ObjectCodec.strings().encode(text));
        assertEquals(text, ObjectCodec.strings().decode(bytes(text)));
    }

    @Test
    void malformedTextIsRefused() {
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
