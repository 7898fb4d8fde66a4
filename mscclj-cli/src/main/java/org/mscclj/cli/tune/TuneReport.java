package org.mscclj.cli.tune;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.ProgressLine;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionText;

/** The text of the table, with the times beside the choices. Filled by rank 0. Safe for use by several threads. */
final class TuneReport {
    private final int ranks;
    private final PrintWriter out;
    private final ProgressLine progress;
    private final List<String> measured;
    private final List<Section> sections = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    /**
     * What was measured for a collective on memory of one kind, by ascending size.
     *
     * @param title describes the calls
     */
    record Section(String title, List<SizeTrials> sizes) {
        Section {
            sizes = List.copyOf(sizes);
        }
    }

    /**
     * Begins the table.
     *
     * @param measured says what was measured: the command, the devices, the date
     * @param out receives the lines of the table as they come
     * @param notes receives the progress
     */
    TuneReport(int ranks, List<String> measured, PrintWriter out, PrintWriter notes) {
        this.ranks = ranks;
        this.measured = List.copyOf(measured);
        this.out = out;
        this.progress = new ProgressLine(notes, Duration.ZERO);
        line(SelectionText.HEADER);
        measured.forEach(line -> line("# " + line));
    }

    /** Says which call is measured now. */
    synchronized void measuring(CheckedCall call, TunedMemory memory) {
        progress.begin("measuring " + call.collective() + " of " + call.messageBytes() + " bytes in " + memory.label()
                + " memory");
    }

    /** Notes a candidate that is left out, since its result is wrong. */
    synchronized void wrong(Candidate candidate, CheckedCall call, TunedMemory memory, long elements) {
        progress.end();
        line("# " + candidate.algorithm() + " is left out: " + elements + " elements are wrong in " + call.collective()
                + " of " + call.messageBytes() + " bytes in " + memory.label() + " memory");
    }

    /** Adds a section. */
    synchronized void add(Collective collective, TunedMemory memory, BestPrograms best, List<SizeTrials> measured) {
        sections.add(new Section(collective + " on " + ranks + " ranks, " + memory.label() + " memory", measured));
        progress.end();
        boolean begun = false;
        for (BestPrograms.Step step : best.changes()) {
            SelectionRow row = new SelectionRow(
                    collective,
                    ranks,
                    memory == TunedMemory.REGISTERED,
                    step.bytes(),
                    step.chosen().program().label(),
                    step.chosen().blocks());
            if (!begun) {
                line(SelectionText.section(row));
                begun = true;
            }
            line(SelectionText.row(row) + "  # " + times(step));
        }
    }

    private static String times(BestPrograms.Step step) {
        return step.trials().stream()
                .map(trial -> String.format(
                        Locale.ROOT, "%s %.2f us", trial.candidate().algorithm(), trial.micros()))
                .collect(Collectors.joining(", "));
    }

    private void line(String line) {
        text.append(line).append('\n');
        out.println(line);
        out.flush();
    }

    /** Returns what was measured so far as an HTML page. */
    synchronized String html() {
        return TuneHtml.of(measured, sections);
    }

    /** Returns the table so far. */
    synchronized String text() {
        return text.toString();
    }
}
