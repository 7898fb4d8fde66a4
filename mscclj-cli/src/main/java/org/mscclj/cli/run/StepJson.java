package org.mscclj.cli.run;

import java.util.List;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.report.JsonText;
import tools.jackson.core.JsonGenerator;

/** Writes several runs as JSON. */
final class StepJson {
    private StepJson() {}

    static String of(String backend, long seed, boolean isRight, String sum, List<StepResult> results) {
        return JsonText.of(json -> {
            json.writeStartObject();
            json.writeStringProperty("backend", backend);
            json.writeNumberProperty("seed", seed);
            json.writeBooleanProperty("ok", isRight);
            json.writeStringProperty("sum", sum);
            json.writeArrayPropertyStart("runs");
            results.forEach(result -> result(json, result));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void result(JsonGenerator json, StepResult result) {
        json.writeStartObject();
        json.writeStringProperty("plan", result.name());
        json.writeStringProperty("result", result.outcome().label());
        if (!result.reason().isEmpty()) {
            json.writeStringProperty("reason", result.reason());
        }
        result.step().ifPresent(step -> step(json, step));
        JsonText.number(json, "time_us", result.micros());
        JsonText.number(json, "busbw_gbs", result.busBandwidth());
        result.wrong().ifPresent(wrong -> json.writeNumberProperty("wrong", wrong));
        json.writeEndObject();
    }

    private static void step(JsonGenerator json, PlanStep step) {
        CheckedCall shape = step.shape();
        json.writeStringProperty("collective", shape.collective().label());
        json.writeBooleanProperty("in_place", shape.inPlace());
        json.writeNumberProperty("ranks", shape.ranks());
        json.writeStringProperty("packets", step.packets());
        json.writeStringProperty("type", shape.type().label());
        json.writeStringProperty("redop", shape.opLabel());
        json.writeNumberProperty("size", shape.messageBytes());
        json.writeNumberProperty("count", shape.count());
    }
}
