package org.mscclj.api.option;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Hints, which a communicator or a call may follow but need not: keys and values, as texts. {@link KnownHint} lists the
 * known hints. Unknown hints are refused where hints are strict
 * ({@link org.mscclj.api.CommunicatorOptions#strictHints}), and logged once elsewhere. Immutable.
 */
public final class Hints {
    /** No hints. */
    public static final Hints NONE = new Hints(Map.of());

    private final Map<String, String> values;

    private Hints(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Hints with the entries of a map, which is copied.
     *
     * @throws InvalidArgumentException if a key is blank
     */
    public static Hints of(Map<String, String> values) {
        Objects.requireNonNull(values, "values");
        Hints hints = NONE;
        for (Map.Entry<String, String> entry : values.entrySet()) {
            hints = hints.with(entry.getKey(), entry.getValue());
        }
        return hints;
    }

    /**
     * Returns these hints and one more, which replaces an earlier hint of that key.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public Hints with(String key, String value) {
        Objects.requireNonNull(key, "key");
        if (key.isBlank()) {
            throw InvalidArgumentException.of(
                    "key of a hint", '"' + key + '"', "a text as " + KnownHint.HIGH_PRIORITY_STREAM.key());
        }
        Objects.requireNonNull(value, "value");
        Map<String, String> more = new TreeMap<>(values);
        more.put(key, value);
        return new Hints(Collections.unmodifiableMap(more));
    }

    /** The value of a key. */
    public Optional<String> get(String key) {
        return Optional.ofNullable(values.get(Objects.requireNonNull(key, "key")));
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** All of them, ordered by key. */
    public Map<String, String> asMap() {
        return values;
    }

    /** Whether the other object has the same keys and values. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Hints hints && values.equals(hints.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "Hints" + values;
    }
}
