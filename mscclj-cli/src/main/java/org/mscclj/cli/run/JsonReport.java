package org.mscclj.cli.run;

import java.util.List;
import java.util.Optional;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** Writes a run as JSON. */
final class JsonReport {
    private JsonReport() {}

    /**
     * Returns the report.
     *
     * @param failure why the run failed; empty if it succeeded
     */
    static String of(RunHeader header, List<RunResult> results, Optional<String> failure) {
        return JsonWriter.document(JsonLayout.REPORT, json -> {
            CheckedCall shape = header.example();
            json.beginObject();
            json.field("plan", header.plan().name());
            json.field("collective", shape.collective().label());
            json.field("in_place", shape.inPlace());
            json.field("ranks", shape.ranks());
            json.field("ranks_per_node", header.ranksPerNode());
            json.field("backend", header.backend());
            json.field("type", shape.type().label());
            json.field("redop", shape.opLabel());
            json.field("packets", header.packets());
            json.field("seed", header.seed());
            json.field("check", header.tolerance());
            json.field("ok", failure.isEmpty());
            if (failure.isPresent()) {
                json.field("error", failure.get());
            }
            json.beginArray("results");
            results.forEach(result -> result(json, result));
            json.end();
            json.end();
        });
    }

    private static void result(JsonWriter json, RunResult result) {
        json.beginObject();
        json.field("size", result.shape().messageBytes());
        json.field("count", result.shape().count());
        json.field("time_us", result.micros());
        json.field("algbw_gbs", result.algorithmBandwidth());
        json.field("busbw_gbs", result.busBandwidth());
        json.field("wrong", result.wrong());
        json.end();
    }
}
