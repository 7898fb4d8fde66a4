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
import org.mscclj.cli.report.JsonText;
import org.mscclj.plan.Plan;
import tools.jackson.core.JsonGenerator;

/** Writes predictions as JSON. {@code docs/simulator.md} describes the keys. */
final class SimulateJson {
    private static final int MAX_SPANS = 100_000;

    private SimulateJson() {}

    static String of(Topology topology, List<SimulatedSize> results, Optional<Calibration> calibration) {
        return JsonText.of(json -> {
            Plan plan = results.getLast().plan();
            json.writeStartObject();
            json.writeStringProperty("plan", plan.name());
            json.writeStringProperty("collective", plan.collective().label());
            json.writeBooleanProperty("in_place", plan.inPlace());
            json.writeNumberProperty("ranks", plan.worldSize());
            json.writeNumberProperty("ranks_per_node", topology.ranksPerNode());
            json.writeStringProperty("topology", topology.name());
            json.writeArrayPropertyStart("results");
            results.forEach(result -> result(json, result));
            json.writeEndArray();
            timeline(json, results.getLast());
            calibration.ifPresent(fitted -> calibration(json, fitted));
            json.writeEndObject();
        });
    }

    private static void result(JsonGenerator json, SimulatedSize result) {
        json.writeStartObject();
        json.writeNumberProperty("size", result.messageBytes());
        json.writeNumberProperty("rounds", result.prediction().rounds());
        JsonText.number(json, "time_us", result.micros());
        JsonText.number(json, "algbw_gbs", result.algorithmBandwidth());
        JsonText.number(json, "busbw_gbs", result.busBandwidth());
        json.writeEndObject();
    }

    private static void timeline(JsonGenerator json, SimulatedSize last) {
        Timeline timeline = last.prediction().round();
        json.writeObjectPropertyStart("timeline");
        json.writeNumberProperty("size", last.messageBytes());
        json.writeNumberProperty("nanos", timeline.nanos());
        json.writeArrayPropertyStart("links");
        timeline.links().forEach(link -> link(json, link));
        json.writeEndArray();
        boolean spans = timeline.spans().size() <= MAX_SPANS;
        json.writeArrayPropertyStart("spans");
        timeline.spans().stream().filter(_ -> spans).forEach(span -> span(json, span));
        json.writeEndArray();
        json.writeArrayPropertyStart("dependencies");
        timeline.dependencies().stream().filter(_ -> spans).forEach(dependency -> dependency(json, dependency));
        json.writeEndArray();
        json.writeArrayPropertyStart("critical_path");
        timeline.criticalPath().stream().filter(_ -> spans).forEach(json::writeNumber);
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void link(JsonGenerator json, LinkUse link) {
        json.writeStartObject();
        json.writeStringProperty("link", link.link());
        json.writeNumberProperty("bandwidth_gbs", link.bandwidth());
        json.writeNumberProperty("bytes", link.bytes());
        json.writeNumberProperty("busy_ns", link.busy());
        json.writeEndObject();
    }

    private static void span(JsonGenerator json, Span span) {
        json.writeStartObject();
        json.writeNumberProperty("rank", span.address().rank());
        json.writeNumberProperty("block", span.address().block());
        json.writeNumberProperty("op", span.address().position());
        span.address().inner().ifPresent(inner -> json.writeNumberProperty("inner_op", inner));
        json.writeNumberProperty("iteration", span.iteration());
        json.writeBooleanProperty("by_proxy", span.byProxy());
        json.writeNumberProperty("start_ns", span.start());
        json.writeNumberProperty("ready_ns", span.ready());
        json.writeNumberProperty("end_ns", span.end());
        json.writeNumberProperty("bytes", span.bytes());
        json.writeEndObject();
    }

    private static void dependency(JsonGenerator json, Dependency dependency) {
        json.writeStartObject();
        json.writeNumberProperty("from", dependency.from());
        json.writeNumberProperty("to", dependency.to());
        json.writeStringProperty("kind", dependency.kind().name().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }

    private static void factor(JsonGenerator json, String name, Factor factor) {
        json.writeObjectPropertyStart(name);
        json.writeNumberProperty("factor", factor.value());
        json.writeBooleanProperty("told", factor.isDetermined());
        json.writeBooleanProperty("at_bound", factor.atBound());
        json.writeEndObject();
    }

    private static void calibration(JsonGenerator json, Calibration calibration) {
        json.writeObjectPropertyStart("calibration");
        factor(json, "launch", calibration.launch());
        factor(json, "latency", calibration.latency());
        factor(json, "links", calibration.links());
        factor(json, "blocks", calibration.blocks());
        json.writeNumberProperty("error_before", calibration.typicalErrorBefore());
        json.writeNumberProperty("error_after", calibration.typicalErrorAfter());
        json.writeNumberProperty("error_left_out", calibration.leftOutError());
        json.writeNumberProperty("worst_error_after", calibration.worstErrorAfter());
        json.writeArrayPropertyStart("fits");
        for (Calibration.Fit fit : calibration.fits()) {
            json.writeStartObject();
            json.writeStringProperty("algorithm", fit.measured().algorithm());
            json.writeNumberProperty("size", fit.measured().messageBytes());
            json.writeBooleanProperty("in_place", fit.measured().inPlace());
            json.writeNumberProperty("measured_ns", fit.measured().nanos());
            json.writeNumberProperty("before_ns", fit.before());
            json.writeNumberProperty("after_ns", fit.after());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
