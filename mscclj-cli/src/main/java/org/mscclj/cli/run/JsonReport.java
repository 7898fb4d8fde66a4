package org.mscclj.cli.run;

import java.util.List;
import java.util.Optional;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.report.JsonText;
import tools.jackson.core.JsonGenerator;

/** Writes a run as JSON. */
final class JsonReport {
    private JsonReport() {}

    /**
     * Returns the report.
     *
     * @param failure why the run failed; empty if it succeeded
     */
    static String of(RunHeader header, List<RunResult> results, Optional<String> failure) {
        return JsonText.of(json -> {
            CheckedCall shape = header.example();
            json.writeStartObject();
            json.writeStringProperty("plan", header.plan().name());
            json.writeStringProperty("collective", shape.collective().label());
            json.writeBooleanProperty("in_place", shape.inPlace());
            json.writeNumberProperty("ranks", shape.ranks());
            json.writeNumberProperty("ranks_per_node", header.ranksPerNode());
            json.writeStringProperty("backend", header.backend());
            json.writeStringProperty("type", shape.type().label());
            json.writeStringProperty("redop", shape.opLabel());
            json.writeStringProperty("packets", header.packets());
            json.writeNumberProperty("seed", header.seed());
            json.writeStringProperty("check", header.tolerance());
            json.writeBooleanProperty("ok", failure.isEmpty());
            if (failure.isPresent()) {
                json.writeStringProperty("error", failure.get());
            }
            json.writeArrayPropertyStart("results");
            results.forEach(result -> result(json, result));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void result(JsonGenerator json, RunResult result) {
        json.writeStartObject();
        json.writeNumberProperty("size", result.shape().messageBytes());
        json.writeNumberProperty("count", result.shape().count());
        JsonText.number(json, "time_us", result.micros());
        JsonText.number(json, "algbw_gbs", result.algorithmBandwidth());
        JsonText.number(json, "busbw_gbs", result.busBandwidth());
        json.writeNumberProperty("wrong", result.wrong());
        json.writeEndObject();
    }
}
