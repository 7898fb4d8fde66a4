package org.mscclj.cli.perf;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.SamplePlan;
import org.mscclj.cli.measure.Sampling;
import org.mscclj.cli.measure.Times;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** Writes a measurement as JSON. */
final class PerfJson {
    private PerfJson() {}

    static String of(PerfResults results) {
        return JsonWriter.document(JsonLayout.REPORT, json -> {
            PerfHeader header = results.header();
            PerfSettings settings = header.settings();
            json.beginObject();
            json.field("collective", settings.collective().label());
            json.field("ranks", settings.ranks());
            json.field("ranks_per_node", header.ranksPerNode());
            json.field("backend", results.backend());
            json.field("type", settings.type().label());
            json.field(
                    "redop", settings.shape(1, settings.placements().getFirst()).opLabel());
            json.field("root", settings.shownRoot());
            sampling(json, header);
            json.field("seed", header.seed());
            json.field("check", header.tolerance());
            json.field("machine", PerfHeader.machine());
            json.beginArray("peers");
            results.peers().forEach(peer -> {
                json.beginObject();
                json.field("name", peer.name());
                json.field("description", peer.description());
                json.end();
            });
            json.end();
            json.field("ok", results.failure().isEmpty());
            if (results.failure().isPresent()) {
                json.field("error", results.failure().get());
            }
            json.field("average_busbw_gbs", results.averageBusBandwidth());
            json.beginArray("results");
            results.rows().forEach(row -> row(json, row, results.peers()));
            json.end();
            json.end();
        });
    }

    private static void sampling(JsonWriter json, PerfHeader header) {
        Sampling sampling = header.settings().sampling();
        boolean graph = sampling.method() == LaunchMethod.GRAPH;
        json.field("method", sampling.method().label());
        json.field("clock", header.clock());
        json.field("iterations", sampling.samples());
        Optional<Duration> warmUp = graph ? Optional.of(sampling.graphWarmUp()) : sampling.warmUp();
        count(json, "warmup_ms", warmUp.map(time -> (int) time.toMillis()));
    }

    private static void row(JsonWriter json, PerfRow row, List<PeerHeader> peers) {
        json.beginObject();
        json.field("size", row.shape().messageBytes());
        json.field("count", row.shape().count());
        measurement(json, "out_of_place", row.of(BufferPlacement.OUT_OF_PLACE), peers);
        measurement(json, "in_place", row.of(BufferPlacement.IN_PLACE), peers);
        json.end();
    }

    private static void measurement(
            JsonWriter json, String name, Optional<Measurement> measured, List<PeerHeader> peers) {
        if (measured.isEmpty()) {
            json.nullField(name);
            return;
        }
        Measurement measurement = measured.get();
        json.beginObject(name);
        json.field("algorithm", measurement.algorithm());
        count(json, "launches", measurement.plan().map(SamplePlan::launches));
        count(json, "replays", measurement.plan().map(plan -> plan.size().repeats()));
        times(json, measurement.times());
        json.field("algbw_gbs", measurement.algorithmBandwidth());
        json.field("busbw_gbs", measurement.busBandwidth());
        if (measurement.wrong().isPresent()) {
            json.field("wrong", measurement.wrong().getAsLong());
        } else {
            json.nullField("wrong");
        }
        json.beginArray("peers");
        for (int i = 0; i < peers.size(); i++) {
            json.beginObject();
            json.field("name", peers.get(i).name());
            times(json, measurement.peers().get(i));
            json.field("ratio", measurement.ratio(i));
            json.end();
        }
        json.end();
        json.end();
    }

    private static void times(JsonWriter json, Optional<Times> times) {
        number(json, "time_us", times, Times::medianMicros);
        number(json, "least_us", times, Times::leastMicros);
        number(json, "lower_quartile_us", times, Times::lowerMicros);
        number(json, "upper_quartile_us", times, Times::upperMicros);
        number(json, "slow_us", times, Times::slowMicros);
        number(json, "spread_percent", times, Times::quartilePercent);
    }

    private static void count(JsonWriter json, String name, Optional<Integer> count) {
        if (count.isPresent()) {
            json.field(name, count.get());
        } else {
            json.nullField(name);
        }
    }

    private static <T> void number(JsonWriter json, String name, Optional<T> of, ToDoubleFunction<T> which) {
        json.field(name, of.isPresent() ? OptionalDouble.of(which.applyAsDouble(of.get())) : OptionalDouble.empty());
    }
}
