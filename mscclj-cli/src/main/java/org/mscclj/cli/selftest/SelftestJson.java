package org.mscclj.cli.selftest;

import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** Writes a self-test as JSON. */
final class SelftestJson {
    private SelftestJson() {}

    static String of(SelftestResults results) {
        return JsonWriter.document(JsonLayout.REPORT, json -> {
            json.beginObject();
            json.field("machine", results.machine());
            json.field("ok", results.isRight());
            json.field("sum", results.sum());
            json.beginArray("parts");
            results.parts().forEach(part -> part(json, part));
            json.end();
            json.end();
        });
    }

    private static void part(JsonWriter json, PartResult result) {
        SelftestPart part = result.part();
        json.beginObject();
        json.field("part", part.title());
        part.ranks().ifPresent(ranks -> json.field("ranks", ranks));
        part.where().ifPresent(where -> json.field("as", where.label()));
        json.field("command", "mscclj " + String.join(" ", part.arguments()));
        json.field("result", result.outcome().label());
        json.field("summary", result.summary());
        json.field("seconds", result.took().toMillis() / 1e3);
        json.field("log", result.log().getFileName().toString());
        json.end();
    }
}
