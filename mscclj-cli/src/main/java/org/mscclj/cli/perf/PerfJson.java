package org.mscclj.cli.perf;

import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.mscclj.cli.report.JsonText;
import tools.jackson.core.JsonGenerator;

/** Writes a measurement as JSON. */
final class PerfJson {
    private PerfJson() {}

    static String of(PerfResults results) {
        return JsonText.of(json -> {
            PerfHeader header = results.header();
            PerfSettings settings = header.settings();
            json.writeStartObject();
            json.writeStringProperty("collective", settings.collective().label());
            json.writeNumberProperty("ranks", settings.ranks());
            json.writeNumberProperty("ranks_per_node", header.ranksPerNode());
            json.writeStringProperty("backend", results.backend());
            json.writeStringProperty("type", settings.type().label());
            json.writeStringProperty(
                    "redop", settings.shape(1, settings.placements().getFirst()).opLabel());
            json.writeNumberProperty("root", settings.shownRoot());
            json.writeStringProperty("method", settings.method().label());
            json.writeNumberProperty("iterations", settings.iterations());
            json.writeNumberProperty("seed", header.seed());
            json.writeStringProperty("check", header.tolerance());
            json.writeStringProperty("machine", PerfHeader.machine());
            text(json, "peer", results.peer().map(PeerHeader::name));
            text(json, "peer_description", results.peer().map(PeerHeader::description));
            json.writeBooleanProperty("ok", results.failure().isEmpty());
            if (results.failure().isPresent()) {
                json.writeStringProperty("error", results.failure().get());
            }
            JsonText.number(json, "average_busbw_gbs", results.averageBusBandwidth());
            json.writeArrayPropertyStart("results");
            results.rows().forEach(row -> row(json, row));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void row(JsonGenerator json, PerfRow row) {
        json.writeStartObject();
        json.writeNumberProperty("size", row.shape().messageBytes());
        json.writeNumberProperty("count", row.shape().count());
        measurement(json, "out_of_place", row.of(BufferPlacement.OUT_OF_PLACE));
        measurement(json, "in_place", row.of(BufferPlacement.IN_PLACE));
        json.writeEndObject();
    }

    private static void measurement(JsonGenerator json, String name, Optional<Measurement> measured) {
        if (measured.isEmpty()) {
            json.writeNullProperty(name);
            return;
        }
        Measurement measurement = measured.get();
        json.writeObjectPropertyStart(name);
        json.writeStringProperty("algorithm", measurement.algorithm());
        json.writeNumberProperty("launches", measurement.launches());
        JsonText.number(json, "time_us", measurement.micros());
        times(json, "least_us", measurement.times(), Times::leastMicros);
        times(json, "slow_us", measurement.times(), Times::slowMicros);
        JsonText.number(json, "algbw_gbs", measurement.algorithmBandwidth());
        JsonText.number(json, "busbw_gbs", measurement.busBandwidth());
        if (measurement.wrong().isPresent()) {
            json.writeNumberProperty("wrong", measurement.wrong().getAsLong());
        } else {
            json.writeNullProperty("wrong");
        }
        JsonText.number(json, "peer_time_us", measurement.peerMicros());
        times(json, "peer_least_us", measurement.peer(), Times::leastMicros);
        JsonText.number(json, "ratio", measurement.ratio());
        json.writeEndObject();
    }

    private static void times(JsonGenerator json, String name, Optional<Times> times, ToDoubleFunction<Times> which) {
        if (times.isPresent()) {
            json.writeNumberProperty(name, which.applyAsDouble(times.get()));
        } else {
            json.writeNullProperty(name);
        }
    }

    private static void text(JsonGenerator json, String name, Optional<String> text) {
        if (text.isPresent()) {
            json.writeStringProperty(name, text.get());
        } else {
            json.writeNullProperty(name);
        }
    }
}
