package org.mscclj.cli.selftest;

import java.util.OptionalDouble;
import org.mscclj.cli.report.JsonText;
import tools.jackson.core.JsonGenerator;

/** Writes a self-test as JSON. */
final class SelftestJson {
    private SelftestJson() {}

    static String of(SelftestResults results) {
        return JsonText.of(json -> {
            json.writeStartObject();
            json.writeStringProperty("machine", results.machine());
            json.writeBooleanProperty("ok", results.isRight());
            json.writeStringProperty("sum", results.sum());
            json.writeArrayPropertyStart("parts");
            results.parts().forEach(part -> part(json, part));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void part(JsonGenerator json, PartResult result) {
        SelftestPart part = result.part();
        json.writeStartObject();
        json.writeStringProperty("part", part.title());
        part.ranks().ifPresent(ranks -> json.writeNumberProperty("ranks", ranks));
        part.where().ifPresent(where -> json.writeStringProperty("as", where.label()));
        json.writeStringProperty("command", "mscclj " + String.join(" ", part.arguments()));
        json.writeStringProperty("result", result.outcome().label());
        json.writeStringProperty("summary", result.summary());
        JsonText.number(json, "seconds", OptionalDouble.of(result.took().toMillis() / 1e3));
        json.writeStringProperty("log", result.log().getFileName().toString());
        json.writeEndObject();
    }
}
