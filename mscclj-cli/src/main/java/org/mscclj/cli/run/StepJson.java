package org.mscclj.cli.run;

import java.util.List;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** Writes several runs as JSON. */
final class StepJson {
    private StepJson() {}

    static String of(String backend, long seed, boolean isRight, String sum, List<StepResult> results) {
        return JsonWriter.document(JsonLayout.REPORT, json -> {
            json.beginObject();
            json.field("backend", backend);
            json.field("seed", seed);
            json.field("ok", isRight);
            json.field("sum", sum);
            json.beginArray("runs");
            results.forEach(result -> result(json, result));
            json.end();
            json.end();
        });
    }

    private static void result(JsonWriter json, StepResult result) {
        json.beginObject();
        json.field("plan", result.name());
        json.field("result", result.outcome().label());
        if (!result.reason().isEmpty()) {
            json.field("reason", result.reason());
        }
        result.step().ifPresent(step -> step(json, step));
        json.field("time_us", result.micros());
        json.field("busbw_gbs", result.busBandwidth());
        result.wrong().ifPresent(wrong -> json.field("wrong", wrong));
        json.end();
    }

    private static void step(JsonWriter json, PlanStep step) {
        CheckedCall shape = step.shape();
        json.field("collective", shape.collective().label());
        json.field("in_place", shape.inPlace());
        json.field("ranks", shape.ranks());
        json.field("packets", step.packets());
        json.field("type", shape.type().label());
        json.field("redop", shape.opLabel());
        json.field("size", shape.messageBytes());
        json.field("count", shape.count());
    }
}
