package org.mscclj.cli.tune;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.ProgressLine;

/** The choices, with the times beside them. Filled by rank 0. Safe for use by several threads. */
final class TuneReport {
    private final List<String> facts;
    private final List<String> peers;
    private final PrintWriter out;
    private final ProgressLine progress;
    private final List<Section> sections = new ArrayList<>();
    private final List<TuningChoice> choices = new ArrayList<>();
    private final Remaining remaining;
    private final List<String> notes = new ArrayList<>();
    private Optional<TuningKey> key = Optional.empty();

    /**
     * What was measured for a collective on memory of one kind, by ascending size.
     *
     * @param title describes the calls
     * @param chosen the choice of each size
     */
    record Section(String title, List<SizeTrials> sizes, List<Candidate> chosen) {
        Section {
            sizes = List.copyOf(sizes);
            chosen = List.copyOf(chosen);
        }
    }

    /**
     * Begins the report.
     *
     * @param facts says what is measured: the command, the date
     * @param peers the names of the libraries that are measured too
     * @param sizes the number of sizes, of all collectives and kinds of memory
     * @param out receives the choices as they come
     * @param notes receives the progress
     */
    TuneReport(List<String> facts, List<String> peers, int sizes, PrintWriter out, PrintWriter notes) {
        this.facts = List.copyOf(facts);
        this.peers = List.copyOf(peers);
        this.remaining = new Remaining(sizes);
        this.out = out;
        this.progress = new ProgressLine(notes, Duration.ZERO);
        facts.forEach(fact -> line("# " + fact));
    }

    /**
     * Says which ranks are measured.
     *
     * @param untried says what is not tried, and why; empty if all is
     */
    synchronized void begin(TuningKey of, Optional<String> untried) {
        key = Optional.of(of);
        line("# " + of);
        untried.ifPresent(reason -> {
            notes.add(reason);
            line("# " + reason);
        });
    }

    /** Says which call is measured now. */
    synchronized void measuring(CheckedCall call, TunedMemory memory) {
        progress.begin("measuring " + call.collective() + " of " + call.messageBytes() + " bytes in " + memory.label()
                + " memory: " + remaining.next(System.nanoTime()));
    }

    /** Notes that a candidate is tried. */
    synchronized void trial() {
        remaining.trial();
    }

    /** Notes a candidate that is left out, since its result is wrong. */
    synchronized void wrong(Candidate candidate, CheckedCall call, TunedMemory memory, long elements) {
        progress.end();
        line("# " + candidate.algorithm() + " is left out: " + elements + " elements are wrong in " + call.collective()
                + " of " + call.messageBytes() + " bytes in " + memory.label() + " memory");
    }

    /** Adds a section. */
    synchronized void add(Collective collective, TunedMemory memory, BestPrograms best, List<SizeTrials> measured) {
        progress.end();
        String title = collective + ", " + memory.label() + " memory";
        sections.add(new Section(title, measured, best.all()));
        line(title);
        boolean registered = memory == TunedMemory.REGISTERED;
        for (BestPrograms.Step step : best.changes()) {
            add(new TuningChoice(
                    collective, registered, step.bytes(), step.chosen().algorithm(), times(step)));
        }
        long unmeasured = 2 * measured.getLast().bytes();
        add(new TuningChoice(collective, registered, unmeasured, TuningChoice.DEFAULT, "not measured"));
    }

    private void add(TuningChoice choice) {
        choices.add(choice);
        line(String.format(
                Locale.ROOT, "  from %-10d %-26s %s", choice.leastBytes(), choice.algorithm(), choice.comment()));
    }

    private static String times(BestPrograms.Step step) {
        return step.trials().stream()
                .map(trial -> String.format(
                        Locale.ROOT, "%s %.2f us", trial.candidate().algorithm(), trial.micros()))
                .collect(Collectors.joining(", "));
    }

    private void line(String line) {
        out.println(line);
        out.flush();
    }

    /** Returns what was measured so far as an HTML page. */
    synchronized String html() {
        List<String> all = new ArrayList<>(facts);
        key.ifPresent(of -> all.add(of.toString()));
        all.addAll(notes);
        return TuneHtml.of(all, peers, sections);
    }

    /** Returns the entry for a tuning file; empty if nothing was measured. */
    synchronized Optional<TuningEntry> entry() {
        return key.map(of -> new TuningEntry(of, String.join("; ", facts), choices));
    }
}
