package org.mscclj.plan.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JsonWriterTest {
    private static final String CONTROLS = "\"\\/\b\t\n\f\r\u0001\u001f\u007fä😀";

    private static void sample(JsonWriter json) {
        json.beginArray().beginObject().field("a", 1).field("b", "x").strings("c", List.of());
        json.beginObject("d").end().integers("e", List.of(1, 2)).end();
        json.beginArray()
                .beginObject()
                .end()
                .beginObject()
                .field("f", true)
                .end()
                .end()
                .end();
    }

    @Test
    void compact() {
        assertEquals("""
                [{"a":1,"b":"x","c":[],"d":{},"e":[1,2]},[{},{"f":true}]]
                """, JsonWriter.document(JsonLayout.COMPACT, JsonWriterTest::sample));
    }

    @Test
    void lines() {
        assertEquals("""
                [{"a":1,
                "b":"x",
                "c":[],
                "d":{},
                "e":[1,
                2]},
                [{},
                {"f":true}]]
                """, JsonWriter.document(JsonLayout.LINES, JsonWriterTest::sample));
    }

    @Test
    void indented() {
        assertEquals("""
                [
                  {
                    "a": 1,
                    "b": "x",
                    "c": [],
                    "d": {},
                    "e": [
                      1,
                      2
                    ]
                  },
                  [
                    {},
                    {
                      "f": true
                    }
                  ]
                ]
                """, JsonWriter.document(JsonLayout.INDENTED, JsonWriterTest::sample));
    }

    @Test
    void report() {
        assertEquals("""
                [ {
                  "a" : 1,
                  "b" : "x",
                  "c" : [ ],
                  "d" : { },
                  "e" : [ 1, 2 ]
                }, [ { }, {
                  "f" : true
                } ] ]
                """, JsonWriter.document(JsonLayout.REPORT, JsonWriterTest::sample));
    }

    @Test
    void linesInsideAnObjectOnOneLine() {
        assertEquals("""
                {
                  "a": [
                    {"b": [1], "c": {"d": 2}, "e": [
                        {"f": 3},
                        {}
                      ]},
                    {"g": 4}
                  ]
                }
                """, JsonWriter.document(JsonLayout.INDENTED, json -> {
            json.beginObject().beginArray("a");
            json.beginLine()
                    .integers("b", List.of(1))
                    .beginObject("c")
                    .field("d", 2)
                    .end();
            json.beginLines("e")
                    .beginLine()
                    .field("f", 3)
                    .end()
                    .beginLine()
                    .end()
                    .end()
                    .end();
            json.beginLine().field("g", 4).end().end().end();
        }));
    }

    @Test
    void scalars() {
        assertEquals(
                """
                {"a":-1,"b":0.1,"c":1.0E22,"d":"NaN","e":"-Infinity","f":18446744073709551615,\
                "g":1.500,"h":null,"i":null,\
                "j":2.5,"k":"x","l":[3],"m":[4]}
                """,
                JsonWriter.document(
                        JsonLayout.COMPACT,
                        json -> json.beginObject()
                                .field("a", -1L)
                                .field("b", 0.1)
                                .field("c", 1e22)
                                .field("d", Double.NaN)
                                .field("e", Double.NEGATIVE_INFINITY)
                                .unsigned("f", -1)
                                .field("g", BigDecimal.valueOf(1500, 3))
                                .field("h", OptionalDouble.empty())
                                .field("i", Optional.empty())
                                .field("j", OptionalDouble.of(2.5))
                                .field("k", Optional.of("x"))
                                .integers("l", List.of(3))
                                .integers("m", LongStream.of(4))
                                .end()));
    }

    @ParameterizedTest
    @CsvSource({
        "COMPACT, '\\\"\\\\/\\b\\t\\n\\f\\r\\u0001\\u001F\u007fä😀'",
        "LINES, '\\\"\\\\/\\u0008\\u0009\\u000a\\u000c\\u000d\\u0001\\u001f\u007fä😀'"
    })
    void escapes(JsonLayout layout, String escaped) {
        assertEquals('"' + escaped + '"', new JsonWriter(layout).value(CONTROLS).toString());
        assertEquals(
                "{\"" + escaped + "\":1}",
                new JsonWriter(layout).beginObject().field(CONTROLS, 1).end().toString());
    }

    @ParameterizedTest
    @EnumSource
    void misuse(JsonLayout layout) {
        List<Consumer<JsonWriter>> faults = List.of(
                JsonWriter::end,
                json -> json.field("a", 1),
                json -> json.beginArray().field("a", 1),
                json -> json.beginObject().value(1),
                json -> json.value(1).value(2),
                json -> json.beginArray().end().end());
        for (Consumer<JsonWriter> fault : faults) {
            assertThrows(IllegalStateException.class, () -> fault.accept(new JsonWriter(layout)));
        }
    }

    @Property(tries = 300)
    void strictReaderReadsBackEqualValues(
            @ForAll JsonLayout layout,
            @ForAll("texts") List<String> texts,
            @ForAll List<Double> numbers,
            @ForAll List<Long> integers) {
        String json = JsonWriter.document(layout, out -> {
            out.beginObject().strings("texts", texts).beginArray("numbers");
            numbers.forEach(out::value);
            out.end().beginArray("integers");
            for (long value : integers) {
                out.beginObject().unsigned("value", value).end();
            }
            out.end().end();
        });
        ObjectShape shape = ObjectShape.of(List.of("texts", "numbers", "integers"), List.of());
        ObjectShape element = ObjectShape.of(List.of("value"), List.of());
        boolean complete = JsonCursor.read(json.getBytes(StandardCharsets.UTF_8), "test", "document", cursor -> {
            cursor.object(shape, key -> {
                switch (key) {
                    case "texts" -> assertEquals(texts, cursor.list(cursor::string));
                    case "numbers" -> assertEquals(numbers, cursor.list(cursor::number));
                    default ->
                        assertEquals(integers, cursor.list(() -> {
                            long[] value = new long[1];
                            cursor.object(element, _ -> value[0] = cursor.unsignedLong());
                            return value[0];
                        }));
                }
            });
            return true;
        });
        assertEquals(true, complete);
    }

    /** Texts of all characters; halves of surrogate pairs have no UTF-8. */
    @Provide
    Arbitrary<List<String>> texts() {
        return Arbitraries.strings()
                .withChars("\"\\/\b\t\n\f\r\u0000\u001f{}[],:")
                .all()
                .ofMaxLength(20)
                .filter(text -> StandardCharsets.UTF_8.newEncoder().canEncode(text))
                .list()
                .ofMaxSize(5);
    }
}
