package org.mscclj.cli.debug;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads dumps: objects, or arrays of them, one after the other. What else they say is skipped. */
final class RankRecords {
    private final JsonParser parser;
    private final List<RankRecord> records = new ArrayList<>();

    private RankRecords(JsonParser parser) {
        this.parser = parser;
    }

    static List<RankRecord> parse(String text) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            RankRecords reading = new RankRecords(parser);
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    reading.rank();
                }
            }
            return reading.records;
        }
    }

    private void rank() {
        Map<String, String> values = new HashMap<>();
        Map<Long, String> words = new HashMap<>();
        Map<Long, String> messages = new TreeMap<>();
        List<Integer> worldRanks = new ArrayList<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_ARRAY && name.equals("entries")) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    Map<String, String> entry = scalars();
                    words.put(number(entry, "sequence"), entry.getOrDefault("words", ""));
                }
            } else if (value == JsonToken.START_ARRAY && name.equals("messages")) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    Map<String, String> entry = scalars();
                    if (!entry.getOrDefault("state", "").equals("completed")) {
                        messages.putIfAbsent(number(entry, "after"), entry.getOrDefault("words", ""));
                    }
                }
            } else if (value == JsonToken.START_ARRAY && name.equals("worldRanks")) {
                while (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                    worldRanks.add(parser.getIntValue());
                }
            } else if (value == JsonToken.START_ARRAY || value == JsonToken.START_OBJECT) {
                parser.skipChildren();
            } else {
                values.put(name, parser.getString());
            }
        }
        if (values.containsKey("healthy")) {
            return; // of the process, not of a rank
        }
        records.add(new RankRecord(
                values.getOrDefault("communicator", "?"),
                text(values, "id"),
                (int) number(values, "rank"),
                worldRanks,
                number(values, "pid"),
                Instant.parse(text(values, "time")),
                number(values, "launches"),
                number(values, "completed"),
                words,
                first(messages, number(values, "completed"))));
    }

    /** Of messages in flight, by the launch that they come after: those that come before every launch in flight. */
    private static String first(Map<Long, String> messages, long completed) {
        return messages.entrySet().stream()
                .filter(one -> one.getKey() <= completed)
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse("");
    }

    private Map<String, String> scalars() {
        Map<String, String> values = new HashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            values.put(name, parser.getString());
            parser.skipChildren();
        }
        return values;
    }

    private static long number(Map<String, String> values, String name) {
        return Long.parseLong(text(values, name));
    }

    private static String text(Map<String, String> values, String name) {
        String text = values.get(name);
        if (text == null) {
            throw new IllegalArgumentException("a dump has no " + name
                    + "; make it by mscclj debug dump, or by MSCCLJ_DEBUG_DUMP_DIR, of this version");
        }
        return text;
    }
}
