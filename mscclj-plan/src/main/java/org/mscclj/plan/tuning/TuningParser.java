package org.mscclj.plan.tuning;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.ObjectShape;

/** Reads the JSON of a tuning file. */
final class TuningParser {
    /** The version of the format, in the first field. */
    static final int FORMAT = 1;

    static final Map<String, Boolean> MEMORY = inOrder("registered", true, "plain", false);

    private static final ObjectShape FILE = ObjectShape.closed(List.of("mscclj_tuning", "entries"), List.of());
    private static final ObjectShape ENTRY = ObjectShape.closed(
            List.of("backend", "device", "ranks", "topology", "driver", "version", "choices"), List.of("comment"));
    private static final ObjectShape CHOICE =
            ObjectShape.closed(List.of("collective", "memory", "bytes", "algorithm"), List.of("comment"));

    private static final Map<String, TuningTopology> TOPOLOGIES = byLabel(TuningTopology.values());
    private static final Map<String, Collective> COLLECTIVES = byLabel(Collective.values());

    private final JsonCursor in;

    private TuningParser(JsonCursor in) {
        this.in = in;
    }

    /** Reads the entries of a file. */
    static List<TuningEntry> entries(byte[] json, String name) {
        return JsonCursor.read(json, name, TuningFile.DOCUMENT, in -> new TuningParser(in).file());
    }

    private List<TuningEntry> file() {
        Fields fields = new Fields();
        in.object(FILE, key -> {
            if (key.equals("entries")) {
                fields.put(key, in.list(this::entry));
            } else if (in.count() != FORMAT) {
                throw in.error("the format is not known; allowed: " + FORMAT);
            }
        });
        return fields.get("entries");
    }

    private TuningEntry entry() {
        Fields fields = new Fields();
        in.object(
                ENTRY,
                key -> fields.put(
                        key,
                        switch (key) {
                            case "ranks" -> in.count();
                            case "topology" -> in.oneOf(TOPOLOGIES);
                            case "choices" -> in.list(this::choice);
                            default -> in.string();
                        }));
        return in.checked(() -> new TuningEntry(
                new TuningKey(
                        fields.get("backend"),
                        fields.get("device"),
                        fields.<Integer>get("ranks"),
                        fields.get("topology"),
                        fields.get("driver"),
                        fields.get("version")),
                fields.comment(),
                fields.get("choices")));
    }

    private TuningChoice choice() {
        Fields fields = new Fields();
        in.object(
                CHOICE,
                key -> fields.put(
                        key,
                        switch (key) {
                            case "collective" -> in.oneOf(COLLECTIVES);
                            case "memory" -> in.oneOf(MEMORY);
                            case "bytes" -> in.longCount();
                            default -> in.string();
                        }));
        return in.checked(() -> new TuningChoice(
                fields.get("collective"),
                fields.<Boolean>get("memory"),
                fields.<Long>get("bytes"),
                fields.get("algorithm"),
                fields.comment()));
    }

    /** The values of an object whose required keys are all there. */
    private static final class Fields {
        private final Map<String, Object> values = new LinkedHashMap<>();

        void put(String key, Object value) {
            values.put(key, value);
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // each key has values of one type
        <T> T get(String key) {
            @Nullable Object value = values.get(key);
            if (value == null) {
                throw new IllegalStateException("key " + key + " has not been required");
            }
            return (T) value;
        }

        String comment() {
            return (String) values.getOrDefault("comment", "");
        }
    }

    private static <T> Map<String, T> byLabel(T[] values) {
        return Arrays.stream(values)
                .collect(Collectors.toMap(
                        Object::toString, Function.identity(), (first, _) -> first, LinkedHashMap::new));
    }

    private static <T> Map<String, T> inOrder(String first, T its, String second, T other) {
        Map<String, T> map = new LinkedHashMap<>();
        map.put(first, its);
        map.put(second, other);
        return map;
    }
}
