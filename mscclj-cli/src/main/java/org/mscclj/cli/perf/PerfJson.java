package org.mscclj.cli.perf;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.mscclj.cli.measure.LaunchMethod;
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
            sampling(json, header);
            json.writeNumberProperty("seed", header.seed());
            json.writeStringProperty("check", header.tolerance());
            json.writeStringProperty("machine", PerfHeader.machine());
            json.writeArrayPropertyStart("peers");
            results.peers().forEach(peer -> {
                json.writeStartObject();
                json.writeStringProperty("name", peer.name());
                json.writeStringProperty("description", peer.description());
                json.writeEndObject();
            });
            json.writeEndArray();
            json.writeBooleanProperty("ok", results.failure().isEmpty());
            if (results.failure().isPresent()) {
                json.writeStringProperty("error", results.failure().get());
            }
            JsonText.number(json, "average_busbw_gbs", results.averageBusBandwidth());
            json.writeArrayPropertyStart("results");
            results.rows().forEach(row -> row(json, row, results.peers()));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void sampling(JsonGenerator json, PerfHeader header) {
        Sampling sampling = header.settings().sampling();
        boolean graph = sampling.method() == LaunchMethod.GRAPH;
        json.writeStringProperty("method", sampling.method().label());
        json.writeStringProperty("clock", header.clock());
        json.writeNumberProperty("iterations", sampling.samples());
        Optional<Duration> warmUp = graph ? Optional.of(sampling.graphWarmUp()) : sampling.warmUp();
        count(json, "warmup_ms", warmUp.map(time -> (int) time.toMillis()));
    }

    private static void row(JsonGenerator json, PerfRow row, List<PeerHeader> peers) {
        json.writeStartObject();
        json.writeNumberProperty("size", row.shape().messageBytes());
        json.writeNumberProperty("count", row.shape().count());
        measurement(json, "out_of_place", row.of(BufferPlacement.OUT_OF_PLACE), peers);
        measurement(json, "in_place", row.of(BufferPlacement.IN_PLACE), peers);
        json.writeEndObject();
    }

    private static void measurement(
            JsonGenerator json, String name, Optional<Measurement> measured, List<PeerHeader> peers) {
        if (measured.isEmpty()) {
            json.writeNullProperty(name);
            return;
        }
        Measurement measurement = measured.get();
        json.writeObjectPropertyStart(name);
        json.writeStringProperty("algorithm", measurement.algorithm());
        count(json, "launches", measurement.plan().map(SamplePlan::launches));
        count(json, "replays", measurement.plan().map(plan -> plan.size().repeats()));
        times(json, measurement.times());
        JsonText.number(json, "algbw_gbs", measurement.algorithmBandwidth());
        JsonText.number(json, "busbw_gbs", measurement.busBandwidth());
        if (measurement.wrong().isPresent()) {
            json.writeNumberProperty("wrong", measurement.wrong().getAsLong());
        } else {
            json.writeNullProperty("wrong");
        }
        json.writeArrayPropertyStart("peers");
        for (int i = 0; i < peers.size(); i++) {
            json.writeStartObject();
            json.writeStringProperty("name", peers.get(i).name());
            times(json, measurement.peers().get(i));
            JsonText.number(json, "ratio", measurement.ratio(i));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void times(JsonGenerator json, Optional<Times> times) {
        number(json, "time_us", times, Times::medianMicros);
        number(json, "least_us", times, Times::leastMicros);
        number(json, "lower_quartile_us", times, Times::lowerMicros);
        number(json, "upper_quartile_us", times, Times::upperMicros);
        number(json, "slow_us", times, Times::slowMicros);
        number(json, "spread_percent", times, Times::quartilePercent);
    }

    private static void count(JsonGenerator json, String name, Optional<Integer> count) {
        if (count.isPresent()) {
            json.writeNumberProperty(name, count.get());
        } else {
            json.writeNullProperty(name);
        }
    }

    private static <T> void number(JsonGenerator json, String name, Optional<T> of, ToDoubleFunction<T> which) {
        JsonText.number(
                json, name, of.isPresent() ? OptionalDouble.of(which.applyAsDouble(of.get())) : OptionalDouble.empty());
    }
}
