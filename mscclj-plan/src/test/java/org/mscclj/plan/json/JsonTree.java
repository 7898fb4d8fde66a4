package org.mscclj.plan.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** JSON as a mutable tree: a key may occur twice, and a scalar may be any text. */
sealed interface JsonTree {
    /** One entry of an object. */
    record Entry(String key, JsonTree value) {}

    /** An object. */
    record Members(List<Entry> entries) implements JsonTree {}

    /** An array. */
    record Elements(List<JsonTree> values) implements JsonTree {}

    /** A scalar, as in the text. */
    record Scalar(String text) implements JsonTree {}

    static JsonTree parse(String json) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            return parse(parser);
        }
    }

    private static JsonTree parse(JsonParser parser) {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                List<Entry> entries = new ArrayList<>();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String key = parser.currentName();
                    parser.nextToken();
                    entries.add(new Entry(key, parse(parser)));
                }
                return new Members(entries);
            }
            case START_ARRAY -> {
                List<JsonTree> values = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    values.add(parse(parser));
                }
                return new Elements(values);
            }
            case VALUE_STRING -> {
                return new Scalar(quoted(parser.getString()));
            }
            default -> {
                return new Scalar(parser.getString());
            }
        }
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> out.append(c < ' ' || c == '"' || c == '\\' ? "\\u%04x".formatted(c) : (char) c));
        return out.append('"').toString();
    }

    /** The tree as text. */
    default String text() {
        return switch (this) {
            case Members(var entries) ->
                "{"
                        + String.join(
                                ",",
                                entries.stream()
                                        .map(entry -> '"' + entry.key() + "\":"
                                                + entry.value().text())
                                        .toList())
                        + "}";
            case Elements(var values) ->
                "[" + String.join(",", values.stream().map(JsonTree::text).toList()) + "]";
            case Scalar(var text) -> text;
        };
    }

    /** Number of values in the tree, itself included. */
    default int size() {
        return switch (this) {
            case Members(var entries) ->
                1 + entries.stream().mapToInt(entry -> entry.value().size()).sum();
            case Elements(var values) ->
                1 + values.stream().mapToInt(JsonTree::size).sum();
            case Scalar _ -> 1;
        };
    }

    /** This tree with one value, chosen at random, deleted, doubled, renamed or replaced. */
    default JsonTree mutate(Random random) {
        return mutate(new int[] {random.nextInt(size())}, random);
    }

    private JsonTree mutate(int[] countdown, Random random) {
        if (countdown[0]-- == 0) {
            return replacement(random);
        }
        return switch (this) {
            case Members(var entries) -> {
                List<Entry> changed = new ArrayList<>();
                for (Entry entry : entries) {
                    if (countdown[0] == 0 && random.nextInt(3) > 0) {
                        countdown[0]--;
                        switch (random.nextInt(3)) {
                            case 0 -> {}
                            case 1 -> changed.addAll(List.of(entry, entry));
                            default -> changed.add(new Entry(entry.key() + "_", entry.value()));
                        }
                    } else {
                        changed.add(new Entry(entry.key(), entry.value().mutate(countdown, random)));
                    }
                }
                yield new Members(changed);
            }
            case Elements(var values) -> {
                List<JsonTree> changed = new ArrayList<>();
                for (JsonTree value : values) {
                    if (countdown[0] == 0 && random.nextInt(3) > 0) {
                        countdown[0]--;
                        if (random.nextBoolean()) {
                            changed.addAll(List.of(value, value));
                        }
                    } else {
                        changed.add(value.mutate(countdown, random));
                    }
                }
                yield new Elements(changed);
            }
            case Scalar _ -> this;
        };
    }

    private JsonTree replacement(Random random) {
        List<String> texts = List.of(
                "null",
                "true",
                "-1",
                "0",
                "1",
                "2",
                "7",
                "1.5",
                "1e400",
                "2147483647",
                "2147483648",
                "9223372036854775808",
                "99999999999999999999999",
                "\"\"",
                "\"memory\"",
                "\"switch\"",
                "\"s\"",
                "\"put\"",
                "\"barrier\"",
                "\"pipeline\"",
                "\"LL\"",
                "[]",
                "{}",
                "[[[]]]",
                "{\"name\":\"nop\"}");
        return new Scalar(texts.get(random.nextInt(texts.size())));
    }
}
