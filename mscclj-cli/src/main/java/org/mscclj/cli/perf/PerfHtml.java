package org.mscclj.cli.perf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.mscclj.analysis.html.Markup;
import org.mscclj.cli.measure.Times;
import org.mscclj.cli.report.Decimal;
import org.mscclj.cli.report.LogPlot;
import org.mscclj.cli.report.LogPlot.Axis;
import org.mscclj.cli.report.LogPlot.Point;
import org.mscclj.cli.report.LogPlot.Series;
import org.mscclj.cli.report.PlotLabels;
import org.mscclj.cli.report.ReportPage;

/** Writes a measurement as one self-contained HTML file: plots, the table, and the JSON. */
final class PerfHtml {
    private PerfHtml() {}

    static String of(PerfResults results) {
        return ReportPage.of(
                results.title(),
                facts(results),
                plots(results) + "\n<div class=\"table\">\n<table>\n" + table(results)
                        + "</table>\n</div>\n<script type=\"application/json\" id=\"results\">\n"
                        + Markup.escapedJson(PerfJson.of(results)) + "</script>\n");
    }

    private static List<String> facts(PerfResults results) {
        PerfHeader header = results.header();
        List<String> facts = new ArrayList<>();
        facts.add("backend " + results.backend() + ", " + header.ranksPerNode() + " ranks on each node");
        facts.add(PerfHeader.machine());
        facts.add("time: " + header.timing());
        facts.add("check: " + header.tolerance() + "; seed " + header.seed());
        facts.add("average bus bandwidth " + Decimal.of(results.averageBusBandwidth()) + " GB/s");
        facts.addAll(Spread.of(results.rows()));
        results.peers()
                .forEach(peer -> facts.add(
                        peer.name() + ": " + peer.description() + "; ratio: how many times as fast as it we are"));
        results.failure().ifPresent(failure -> facts.add("FAILED: " + failure));
        return facts;
    }

    private static String plots(PerfResults results) {
        Axis size = new Axis("message size (bytes)", PlotLabels::size);
        List<Series> times = new ArrayList<>();
        List<Series> bandwidths = new ArrayList<>();
        for (BufferPlacement placement : results.header().settings().placements()) {
            times.add(series(results, placement, placement.label(), Measurement::micros));
            bandwidths.add(series(results, placement, placement.label(), Measurement::busBandwidth));
        }
        for (int i = 0; i < results.peers().size(); i++) {
            int peer = i;
            for (BufferPlacement placement : results.header().settings().placements()) {
                String name = results.peers().get(peer).name() + " " + placement.label();
                times.add(series(results, placement, name, measured -> measured.peerMicros(peer)));
                bandwidths.add(series(results, placement, name, measured -> measured.peerBusBandwidth(peer)));
            }
        }
        DoubleFunction<String> decimal = PlotLabels::decimal;
        return new LogPlot("time of a launch", size, new Axis("time", PlotLabels::time), times).svg()
                + new LogPlot("bus bandwidth", size, new Axis("GB/s", decimal), bandwidths).svg();
    }

    private static Series series(
            PerfResults results, BufferPlacement placement, String name, Function<Measurement, OptionalDouble> value) {
        return new Series(
                name,
                results.rows().stream()
                        .flatMap(row -> row.of(placement).stream())
                        .filter(measurement -> value.apply(measurement).isPresent())
                        .map(measurement -> new Point(
                                measurement.shape().messageBytes(),
                                value.apply(measurement).getAsDouble()))
                        .toList());
    }

    private static String table(PerfResults results) {
        StringBuilder table = new StringBuilder("<thead><tr>");
        List<String> names = new ArrayList<>(List.of(
                "size (B)",
                "count",
                "placement",
                "algorithm",
                "launches",
                "time (µs)",
                "spread (%)",
                "least (µs)",
                "9 of 10 (µs)",
                "algbw (GB/s)",
                "busbw (GB/s)",
                "#wrong"));
        results.peers().forEach(peer -> names.addAll(List.of(peer.name() + " (µs)", "spread (%)", "ratio")));
        names.forEach(name -> table.append("<th>").append(Markup.escaped(name)).append("</th>"));
        table.append("</tr></thead>\n<tbody>\n");
        for (PerfRow row : results.rows()) {
            for (BufferPlacement placement : BufferPlacement.values()) {
                row.of(placement).ifPresent(measurement -> row(table, placement, measurement));
            }
        }
        return table.append("</tbody>\n").toString();
    }

    private static void row(StringBuilder table, BufferPlacement placement, Measurement measurement) {
        List<String> cells = new ArrayList<>(List.of(
                Long.toString(measurement.shape().messageBytes()),
                Long.toString(measurement.shape().count()),
                placement.label(),
                measurement.algorithm(),
                measurement.launches(),
                Decimal.of(measurement.micros()),
                number(measurement.times(), Times::quartilePercent),
                number(measurement.times(), Times::leastMicros),
                number(measurement.times(), Times::slowMicros),
                Decimal.of(measurement.algorithmBandwidth()),
                Decimal.of(measurement.busBandwidth()),
                measurement.wrong().isPresent()
                        ? Long.toString(measurement.wrong().getAsLong())
                        : "N/A"));
        for (int i = 0; i < measurement.peers().size(); i++) {
            cells.add(Decimal.of(measurement.peerMicros(i)));
            cells.add(number(measurement.peers().get(i), Times::quartilePercent));
            cells.add(Decimal.of(measurement.ratio(i)));
        }
        table.append(measurement.isDisturbed() ? "<tr class=\"disturbed\" title=\"the machine was busy\">" : "<tr>");
        cells.forEach(cell -> table.append("<td>").append(Markup.escaped(cell)).append("</td>"));
        table.append("</tr>\n");
    }

    private static String number(Optional<Times> times, ToDoubleFunction<Times> which) {
        return Decimal.of(
                times.isPresent() ? OptionalDouble.of(which.applyAsDouble(times.get())) : OptionalDouble.empty());
    }
}
