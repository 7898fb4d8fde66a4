package org.mscclj.cli.simulate;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mscclj.analysis.simulate.calibrate.Calibration;
import org.mscclj.analysis.simulate.calibrate.Factor;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.LinkUse;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.plan.Plan;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** Writes predictions as JSON. {@code docs/simulator.md} describes the keys. */
final class SimulateJson {
    private static final int MAX_SPANS = 100_000;

    private SimulateJson() {}

    static String of(Topology topology, List<SimulatedSize> results, Optional<Calibration> calibration) {
        return JsonWriter.document(JsonLayout.REPORT, json -> {
            Plan plan = results.getLast().plan();
            json.beginObject();
            json.field("collective", plan.collective().label());
            json.field("in_place", plan.inPlace());
            json.field("ranks", plan.worldSize());
            json.field("ranks_per_node", topology.ranksPerNode());
            json.field("topology", topology.name());
            json.beginArray("results");
            results.forEach(result -> result(json, result));
            json.end();
            timeline(json, results.getLast());
            calibration.ifPresent(fitted -> calibration(json, fitted));
            json.end();
        });
    }

    private static void result(JsonWriter json, SimulatedSize result) {
        json.beginObject();
        json.field("size", result.messageBytes());
        json.field("plan", result.plan().name());
        json.field("blocks", result.blocks());
        json.field("rounds", result.prediction().rounds());
        json.field("time_us", result.micros());
        json.field("algbw_gbs", result.algorithmBandwidth());
        json.field("busbw_gbs", result.busBandwidth());
        json.end();
    }

    private static void timeline(JsonWriter json, SimulatedSize last) {
        Timeline timeline = last.prediction().round();
        json.beginObject("timeline");
        json.field("size", last.messageBytes());
        json.field("nanos", timeline.nanos());
        json.beginArray("links");
        timeline.links().forEach(link -> link(json, link));
        json.end();
        boolean spans = timeline.spans().size() <= MAX_SPANS;
        json.beginArray("spans");
        timeline.spans().stream().filter(_ -> spans).forEach(span -> span(json, span));
        json.end();
        json.beginArray("dependencies");
        timeline.dependencies().stream().filter(_ -> spans).forEach(dependency -> dependency(json, dependency));
        json.end();
        json.beginArray("critical_path");
        timeline.criticalPath().stream().filter(_ -> spans).forEach(json::value);
        json.end();
        json.end();
    }

    private static void link(JsonWriter json, LinkUse link) {
        json.beginObject();
        json.field("link", link.link());
        json.field("bandwidth_gbs", link.bandwidth());
        json.field("bytes", link.bytes());
        json.field("busy_ns", link.busy());
        json.end();
    }

    private static void span(JsonWriter json, Span span) {
        json.beginObject();
        json.field("rank", span.address().rank());
        json.field("block", span.address().block());
        json.field("op", span.address().position());
        span.address().inner().ifPresent(inner -> json.field("inner_op", inner));
        json.field("iteration", span.iteration());
        json.field("by_proxy", span.byProxy());
        json.field("start_ns", span.start());
        json.field("ready_ns", span.ready());
        json.field("end_ns", span.end());
        json.field("bytes", span.bytes());
        json.end();
    }

    private static void dependency(JsonWriter json, Dependency dependency) {
        json.beginObject();
        json.field("from", dependency.from());
        json.field("to", dependency.to());
        json.field("kind", dependency.kind().name().toLowerCase(Locale.ROOT));
        json.end();
    }

    private static void factor(JsonWriter json, String name, Factor factor) {
        json.beginObject(name);
        json.field("factor", factor.value());
        json.field("told", factor.isDetermined());
        json.field("at_bound", factor.atBound());
        json.end();
    }

    private static void calibration(JsonWriter json, Calibration calibration) {
        json.beginObject("calibration");
        factor(json, "launch", calibration.launch());
        factor(json, "latency", calibration.latency());
        factor(json, "links", calibration.links());
        factor(json, "blocks", calibration.blocks());
        json.field("error_before", calibration.typicalErrorBefore());
        json.field("error_after", calibration.typicalErrorAfter());
        json.field("error_left_out", calibration.leftOutError());
        json.field("worst_error_after", calibration.worstErrorAfter());
        json.beginArray("fits");
        for (Calibration.Fit fit : calibration.fits()) {
            json.beginObject();
            json.field("algorithm", fit.measured().algorithm());
            json.field("size", fit.measured().messageBytes());
            json.field("in_place", fit.measured().inPlace());
            json.field("measured_ns", fit.measured().nanos());
            json.field("before_ns", fit.before());
            json.field("after_ns", fit.after());
            json.end();
        }
        json.end();
        json.end();
    }
}
