package org.mscclj.cli.run;

import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** A run as JSON, for programs. */
final class JsonReport {
    private JsonReport() {}

    /**
     * The report.
     *
     * @param failure why the run ended early or failed; empty if all was right
     */
    static String of(RunHeader header, List<RunResult> results, Optional<String> failure) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(new Indented(), text)) {
            var shape = header.example();
            json.writeStartObject();
            json.writeStringProperty("plan", shape.plan().name());
            json.writeStringProperty("collective", shape.collective().label());
            json.writeBooleanProperty("in_place", shape.plan().inPlace());
            json.writeNumberProperty("ranks", shape.ranks());
            json.writeNumberProperty("ranks_per_node", header.ranksPerNode());
            json.writeStringProperty("backend", header.backend());
            json.writeStringProperty("type", shape.type().label());
            json.writeStringProperty("redop", header.op());
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
        }
        return text.append('\n').toString();
    }

    private static void result(JsonGenerator json, RunResult result) {
        json.writeStartObject();
        json.writeNumberProperty("size", result.shape().messageBytes());
        json.writeNumberProperty("count", result.shape().count());
        number(json, "time_us", result.micros());
        number(json, "algbw_gbs", result.algorithmBandwidth());
        number(json, "busbw_gbs", result.busBandwidth());
        json.writeNumberProperty("wrong", result.wrong());
        json.writeEndObject();
    }

    private static void number(JsonGenerator json, String name, OptionalDouble value) {
        if (value.isPresent()) {
            json.writeNumberProperty(name, value.getAsDouble());
        } else {
            json.writeNullProperty(name);
        }
    }

    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
