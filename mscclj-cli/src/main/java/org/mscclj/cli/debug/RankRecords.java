package org.mscclj.cli.debug;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads dumps: a sequence of JSON objects or arrays of them. Unknown fields are skipped. */
final class RankRecords {
    private final JsonParser parser;
    private final List<RecordedRank> records = new ArrayList<>();

    private RankRecords(JsonParser parser) {
        this.parser = parser;
    }

    static List<RecordedRank> parse(String text) {
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

    /** Returns the last dump of each rank of each communicator, in the order of their first dumps. */
    static List<RecordedRank> latest(List<RecordedRank> dumped) {
        Map<Map.Entry<String, Integer>, RecordedRank> latest = new LinkedHashMap<>();
        dumped.forEach(record -> latest.merge(
                Map.entry(record.id(), record.rank()),
                record,
                (one, other) -> other.time().isBefore(one.time()) ? one : other));
        return List.copyOf(latest.values());
    }

    private void rank() {
        Map<String, String> values = new HashMap<>();
        Map<Long, String> words = new HashMap<>();
        Map<Long, String> messages = new TreeMap<>();
        List<LaunchRecord> entries = new ArrayList<>();
        List<Integer> worldRanks = new ArrayList<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_ARRAY && name.equals("entries")) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    Map<String, String> entry = entry(entries, false);
                    words.put(number(entry, "sequence"), entry.getOrDefault("words", ""));
                }
            } else if (value == JsonToken.START_ARRAY && name.equals("messages")) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    Map<String, String> entry = entry(entries, true);
                    if (!entry.getOrDefault("state", "").equals("completed")) {
                        messages.putIfAbsent(number(entry, "after"), entry.getOrDefault("words", ""));
                    }
                }
            } else if (value == JsonToken.START_ARRAY && name.equals("worldRanks")) {
                while (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                    worldRanks.add(parser.getIntValue());
                }
            } else if (value == JsonToken.START_OBJECT && name.equals("controlCall")) {
                values.put(name, text(scalars(), "what"));
            } else if (value == JsonToken.START_ARRAY || value == JsonToken.START_OBJECT) {
                parser.skipChildren();
            } else {
                values.put(name, parser.getString());
            }
        }
        if (values.containsKey("healthy")) {
            return; // a field of the process, not of a rank
        }
        records.add(new RecordedRank(
                values.getOrDefault("communicator", "?"),
                text(values, "id"),
                (int) number(values, "rank"),
                worldRanks,
                number(values, "pid"),
                values.getOrDefault("host", ""),
                Instant.parse(text(values, "time")),
                number(values, "launches"),
                number(values, "completed"),
                words,
                first(messages, number(values, "completed")),
                values.getOrDefault("controlCall", ""),
                entries.stream()
                        .sorted(Comparator.comparing(LaunchRecord::enqueued)) // stable
                        .toList()));
    }

    /** Returns the point-to-point operations in flight that precede every launch in flight. */
    private static String first(Map<Long, String> messages, long completed) {
        return messages.entrySet().stream()
                .filter(one -> one.getKey() <= completed)
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse("");
    }

    /** Reads an entry and adds it to the others. */
    private Map<String, String> entry(List<LaunchRecord> entries, boolean alone) {
        Map<String, String> values = new HashMap<>();
        boolean consistsOfMessages = false;
        List<LaunchRecord.Message> transfers = new ArrayList<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() == JsonToken.START_ARRAY && name.equals("transfers")) {
                consistsOfMessages = true;
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    Map<String, String> transfer = scalars();
                    transfers.add(new LaunchRecord.Message(
                            Boolean.parseBoolean(text(transfer, "sends")),
                            (int) number(transfer, "peer"),
                            number(transfer, "bytes")));
                }
            } else {
                values.put(name, parser.getString());
                parser.skipChildren();
            }
        }
        entries.add(new LaunchRecord(
                alone,
                number(values, alone ? "number" : "sequence"),
                alone || consistsOfMessages,
                text(values, "operation"),
                values.getOrDefault("type", ""),
                number(values, "bytes"),
                transfers,
                text(values, "state"),
                Instant.parse(text(values, "enqueued")),
                Optional.ofNullable(values.get("seenStarted")).map(Instant::parse),
                Optional.ofNullable(values.get("seenEnded")).map(Instant::parse)));
        return values;
    }

    private Map<String, String> scalars() {
        Map<String, String> values = new HashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            values.put(name, parser.getString());
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
