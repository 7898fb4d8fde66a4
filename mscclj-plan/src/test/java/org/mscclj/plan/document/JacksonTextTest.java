package org.mscclj.plan.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Two layouts are those of Jackson, to the letter. */
class JacksonTextTest {
    private static final String CHARACTERS = "\"\\/\b\t\n\f\r\u0000\u001f\u007f\u2028a{}[],:ä";
    private static final List<Double> DOUBLES =
            List.of(0.0, -0.0, 1e22, 1e-7, 0.1, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY);
    private static final int TREES = 2_000;
    private static final int DEPTH = 4;

    @Test
    void compactTextIsThatOfJackson() {
        trees().forEach(tree ->
                assertEquals(jackson(tree, ObjectWriteContext.empty()), text(tree, JsonLayout.COMPACT)));
    }

    @Test
    void reportsAreThoseOfJackson() {
        trees().forEach(tree -> assertEquals(jackson(tree, new Pretty()), text(tree, JsonLayout.REPORT)));
    }

    private static Stream<Object> trees() {
        Random random = new Random(1);
        return Stream.generate(() -> tree(random, DEPTH)).limit(TREES);
    }

    private static Object tree(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> string(random);
            case 1 -> random.nextLong();
            case 2 -> DOUBLES.get(random.nextInt(DOUBLES.size()));
            case 3 -> Double.longBitsToDouble(random.nextLong());
            case 4 ->
                Stream.generate(() -> tree(random, depth - 1))
                        .limit(random.nextInt(4))
                        .toList();
            default -> {
                Map<String, Object> map = new TreeMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(string(random), tree(random, depth - 1));
                }
                yield map;
            }
        };
    }

    private static String string(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return text.toString();
    }

    private static String text(Object tree, JsonLayout layout) {
        JsonWriter json = new JsonWriter(layout);
        write(tree, json);
        return json.toString();
    }

    private static void write(Object tree, JsonWriter json) {
        switch (tree) {
            case String text -> json.value(text);
            case Long number -> json.value(number);
            case Double number -> json.value(number);
            case List<?> list -> {
                json.beginArray();
                list.forEach(element -> write(element, json));
                json.end();
            }
            case Map<?, ?> map -> {
                json.beginObject();
                map.forEach((key, value) -> writeField(key.toString(), value, json));
                json.end();
            }
            default -> throw new AssertionError(tree);
        }
    }

    private static void writeField(String key, Object tree, JsonWriter json) {
        switch (tree) {
            case String text -> json.field(key, text);
            case Long number -> json.field(key, number);
            case Double number -> json.field(key, number);
            case List<?> list -> {
                json.beginArray(key);
                list.forEach(element -> write(element, json));
                json.end();
            }
            case Map<?, ?> map -> {
                json.beginObject(key);
                map.forEach((inner, value) -> writeField(inner.toString(), value, json));
                json.end();
            }
            default -> throw new AssertionError(tree);
        }
    }

    private static String jackson(Object tree, ObjectWriteContext context) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(context, text)) {
            write(tree, json);
        }
        return text.toString();
    }

    private static void write(Object tree, JsonGenerator json) {
        switch (tree) {
            case String text -> json.writeString(text);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case List<?> list -> {
                json.writeStartArray();
                list.forEach(element -> write(element, json));
                json.writeEndArray();
            }
            case Map<?, ?> map -> {
                json.writeStartObject();
                map.forEach((key, value) -> {
                    json.writeName(key.toString());
                    write(value, json);
                });
                json.writeEndObject();
            }
            default -> throw new AssertionError(tree);
        }
    }

    private static final class Pretty extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
