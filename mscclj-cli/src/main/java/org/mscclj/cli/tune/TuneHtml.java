package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.mscclj.analysis.html.Markup;
import org.mscclj.cli.report.LogPlot;
import org.mscclj.cli.report.LogPlot.Axis;
import org.mscclj.cli.report.LogPlot.Point;
import org.mscclj.cli.report.LogPlot.Series;
import org.mscclj.cli.report.PlotLabels;
import org.mscclj.cli.report.ReportPage;

/** Writes what was measured as one self-contained HTML file: for each section a plot and a heat map. */
final class TuneHtml {
    private static final String EXPLANATION = "Each plot has the times of the choice, of the communicator's choice"
            + " without a file, and of the peers, measured in turns. Each table has the first, rough times of all"
            + " candidates, in microseconds: a program with its thread blocks and, behind x, their threads. Green is the"
            + " fastest of a size; orange takes four times as long or more. A frame marks the choice.";

    /** A cell at this factor of the fastest time, or above it, has the colour of the slowest. */
    private static final double SLOWEST = 4;

    private TuneHtml() {}

    /**
     * Returns the page.
     *
     * @param facts what was measured: the command, the devices, the date
     * @param peers the names of the peers
     */
    static String of(List<String> facts, List<String> peers, List<TuneReport.Section> sections) {
        StringBuilder parts = new StringBuilder("<p>").append(EXPLANATION).append("</p>\n");
        sections.forEach(section -> append(section, peers, parts));
        return ReportPage.of("mscclj tune", facts, parts.toString());
    }

    private static void append(TuneReport.Section section, List<String> peers, StringBuilder html) {
        html.append("<h2>").append(Markup.escaped(section.title())).append("</h2>\n");
        html.append(new LogPlot(
                        "time of a launch",
                        new Axis("message size (bytes)", PlotLabels::size),
                        new Axis("time", PlotLabels::time),
                        curves(section, peers))
                .svg());
        html.append("<div class=\"table\">\n<table>\n<thead><tr><th>candidate</th>");
        section.sizes()
                .forEach(size -> html.append("<th>")
                        .append(Markup.escaped(PlotLabels.size((double) size.bytes())))
                        .append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        for (Candidate candidate : candidates(section)) {
            html.append("<tr><th>")
                    .append(Markup.escaped(candidate.algorithm()))
                    .append("</th>");
            for (int i = 0; i < section.sizes().size(); i++) {
                html.append(cell(
                        section.sizes().get(i),
                        candidate,
                        candidate.equals(section.chosen().get(i))));
            }
            html.append("</tr>\n");
        }
        html.append("</tbody>\n</table>\n</div>\n");
    }

    private static List<Series> curves(TuneReport.Section section, List<String> peers) {
        List<Series> curves = new ArrayList<>();
        curves.add(series(
                "tuned",
                section,
                i -> section.sizes().get(i).micros(section.chosen().get(i))));
        curves.add(series("untuned", section, i -> section.sizes().get(i).untunedMicros()));
        for (int i = 0; i < peers.size(); i++) {
            int peer = i;
            curves.add(series(
                    peers.get(i),
                    section,
                    at -> section.sizes().get(at).peerMicros().get(peer)));
        }
        return curves;
    }

    private static Series series(String name, TuneReport.Section section, IntToDoubleFunction micros) {
        return new Series(
                name,
                IntStream.range(0, section.sizes().size())
                        .mapToObj(i -> new Point(section.sizes().get(i).bytes(), micros.applyAsDouble(i)))
                        .filter(point -> !Double.isNaN(point.y()))
                        .toList());
    }

    private static Set<Candidate> candidates(TuneReport.Section section) {
        TreeSet<Candidate> all = new TreeSet<>(Comparator.comparing(Candidate::name)
                .thenComparingInt(Candidate::blocks)
                .thenComparingInt(Candidate::threads));
        section.sizes().forEach(size -> size.tried().forEach(trial -> all.add(trial.candidate())));
        all.add(Candidate.UNTUNED);
        return all;
    }

    /**
     * A cell has the time, and the colour of its distance from the fastest one; it is empty if nothing was measured.
     */
    private static String cell(SizeTrials size, Candidate candidate, boolean chosen) {
        double micros = candidate.equals(Candidate.UNTUNED)
                ? size.untunedMicros()
                : SizeTrials.micros(candidate, size.tried()).orElse(Double.NaN);
        if (Double.isNaN(micros)) {
            return "<td></td>";
        }
        double factor = micros / size.tried().getFirst().micros();
        double slow = Math.clamp(Math.log(factor) / Math.log(SLOWEST), 0, 1);
        return String.format(
                Locale.ROOT,
                "<td class=\"heat%s\" style=\"--slow: %.3f\" title=\"%.2f times the fastest\">%.2f</td>",
                chosen ? " chosen" : "",
                slow,
                factor,
                micros);
    }
}
