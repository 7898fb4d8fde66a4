package org.mscclj.cli.tune;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.mscclj.analysis.html.Markup;
import org.mscclj.analysis.html.Template;
import org.mscclj.cli.report.LogPlot;
import org.mscclj.cli.report.LogPlot.Axis;
import org.mscclj.cli.report.LogPlot.Point;
import org.mscclj.cli.report.LogPlot.Series;
import org.mscclj.cli.report.PlotLabels;

/** Writes what was measured as one self-contained HTML file: for each section a plot and a heat map. */
final class TuneHtml {
    private static final String TEMPLATE = "tune.html";

    /** A cell at this factor of the fastest time, or above it, has the colour of the slowest. */
    private static final double SLOWEST = 4;

    private TuneHtml() {}

    /**
     * Returns the page.
     *
     * @param facts what was measured: the command, the devices, the date
     */
    static String of(List<String> facts, List<TuneReport.Section> sections) {
        StringBuilder list = new StringBuilder();
        facts.forEach(fact -> list.append("<li>").append(Markup.escaped(fact)).append("</li>\n"));
        StringBuilder parts = new StringBuilder();
        sections.forEach(section -> append(section, parts));
        return new Template(Template.text(
                        TEMPLATE, Objects.requireNonNull(TuneHtml.class.getResourceAsStream(TEMPLATE), TEMPLATE)))
                .filled(Map.of("facts", list.toString(), "sections", parts.toString()));
    }

    private static void append(TuneReport.Section section, StringBuilder html) {
        html.append("<h2>").append(Markup.escaped(section.title())).append("</h2>\n");
        html.append(new LogPlot(
                        "time of a launch",
                        new Axis("message size (bytes)", PlotLabels::size),
                        new Axis("time", PlotLabels::time),
                        List.of(
                                series("best", section, SizeTrials::bestMicros),
                                series("untuned", section, SizeTrials::untunedMicros)))
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
            section.sizes().forEach(size -> html.append(cell(size, candidate)));
            html.append("</tr>\n");
        }
        html.append("</tbody>\n</table>\n</div>\n");
    }

    private static Series series(String name, TuneReport.Section section, ToDoubleFunction<SizeTrials> micros) {
        return new Series(
                name,
                section.sizes().stream()
                        .map(size -> new Point(size.bytes(), micros.applyAsDouble(size)))
                        .toList());
    }

    private static Set<Candidate> candidates(TuneReport.Section section) {
        TreeSet<Candidate> all =
                new TreeSet<>(Comparator.comparing(Candidate::program).thenComparingInt(Candidate::blocks));
        section.sizes().forEach(size -> size.tried().forEach(trial -> all.add(trial.candidate())));
        return all;
    }

    /**
     * A cell has the time, and the colour of its distance from the fastest one; it is empty if nothing was measured.
     */
    private static String cell(SizeTrials size, Candidate candidate) {
        Optional<TimedCandidate> trial = size.tried().stream()
                .filter(one -> one.candidate().equals(candidate))
                .findFirst();
        if (trial.isEmpty()) {
            return "<td></td>";
        }
        double factor = trial.get().micros() / size.tried().getFirst().micros();
        double slow = Math.clamp(Math.log(factor) / Math.log(SLOWEST), 0, 1);
        return String.format(
                Locale.ROOT,
                "<td style=\"--slow: %.3f\" title=\"%.2f times the fastest\">%.2f</td>",
                slow,
                factor,
                trial.get().micros());
    }
}
