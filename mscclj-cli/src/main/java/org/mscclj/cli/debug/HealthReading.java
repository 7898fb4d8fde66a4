package org.mscclj.cli.debug;

import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.Fault;
import org.mscclj.api.FaultKind;
import org.mscclj.api.Health;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The health at the beginning of an answer. The rest of the answer is not read, since dumps take long.
 *
 * @param health the health; empty if the answer does not start with it
 */
record HealthReading(Optional<Health> health) {
    /** Reads the health from an answer; empty if there is none. */
    static Optional<HealthReading> of(InputStream answer) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), answer)) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            return Optional.of(new HealthReading(
                    parser.nextToken() == JsonToken.START_OBJECT ? health(parser) : Optional.empty()));
        } catch (IllegalArgumentException | DateTimeException _) {
            return Optional.of(new HealthReading(Optional.empty())); // written by another version
        }
    }

    private static Optional<Health> health(JsonParser parser) {
        boolean found = false;
        long more = 0;
        List<Fault> faults = new ArrayList<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "healthy" -> found = true;
                case "moreFaults" -> more = parser.getLongValue();
                case "faults" -> {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        faults.add(fault(parser));
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return found ? Optional.of(new Health(faults, more)) : Optional.empty();
    }

    private static Fault fault(JsonParser parser) {
        Map<String, String> values = new HashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            values.put(name, parser.getString());
        }
        return new Fault(
                Instant.parse(values.getOrDefault("time", "")),
                values.getOrDefault("communicator", ""),
                Integer.parseInt(values.getOrDefault("rank", "")),
                FaultKind.valueOf(values.getOrDefault("kind", "").toUpperCase(Locale.ROOT)),
                values.getOrDefault("reason", ""));
    }
}
