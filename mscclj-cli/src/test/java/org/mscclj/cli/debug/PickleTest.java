package org.mscclj.cli.debug;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PickleTest {
    private static final long SEED = Long.getLong("mscclj.seed", 20_261_123);

    /** The output of Python's {@code pickle.dumps} and {@code pickletools} for these values, without memo entries. */
    @Test
    void valuesAreWrittenAsPythonWritesThem() {
        assertArrayEquals(bytes(0x80, 2, 0x8a, 1, 5, '.'), Pickle.of(5));
        assertArrayEquals(bytes(0x80, 2, 0x8a, 2, 0x2c, 1, '.'), Pickle.of(300L));
        assertArrayEquals(bytes(0x80, 2, 0x8a, 1, 0xff, '.'), Pickle.of(-1));
        assertArrayEquals(bytes(0x80, 2, 'X', 2, 0, 0, 0, 0xc3, 0xa9, '.'), Pickle.of("é"));
        assertArrayEquals(
                bytes(0x80, 2, ']', '(', 0x88, 0x89, 'N', 'e', '.'), Pickle.of(List.of(true, false, Optional.empty())));
        assertArrayEquals(bytes(0x80, 2, 0x8a, 1, 1, 0x8a, 1, 2, 0x86, '.'), Pickle.of(new Pickle.Pair(1, 2)));
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Random random = new Random(SEED);
        for (int i = 0; i < 500; i++) {
            Object value = value(random, 4);
            assertEquals(value, Unpickled.of(Pickle.of(value)), () -> "-Dmscclj.seed=" + SEED);
        }
    }

    private static Object value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> random.nextLong() >> random.nextInt(Long.SIZE);
            case 1 -> random.nextBoolean();
            case 2 -> Optional.empty();
            case 3 -> text(random);
            case 4 ->
                Stream.generate(() -> value(random, depth - 1))
                        .limit(random.nextInt(4))
                        .toList();
            case 5 -> {
                Map<Object, Object> map = new LinkedHashMap<>();
                for (int left = random.nextInt(4); left > 0; left--) {
                    map.put(text(random), value(random, depth - 1));
                }
                yield map;
            }
            default -> new Pickle.Pair(value(random, depth - 1), value(random, depth - 1));
        };
    }

    private static String text(Random random) {
        byte[] latin = new byte[random.nextInt(400)];
        random.nextBytes(latin);
        return new String(latin, StandardCharsets.ISO_8859_1);
    }

    @Test
    void otherValuesAreRefused() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Pickle.of(new ArrayList<>(List.of(1.5))));
        assertTrue(String.valueOf(e.getMessage()).contains("Double"), e::getMessage);
    }
}
