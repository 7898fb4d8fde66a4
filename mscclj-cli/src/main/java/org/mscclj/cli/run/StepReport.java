package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.api.error.PlainText;
import org.mscclj.cli.measure.ProgressLine;
import org.mscclj.cli.run.StepResult.Outcome;

/** Reports several runs: prints a line when each ends, and a summary. Rank 0 fills it from its thread. */
final class StepReport {
    private final StepTable table;
    private final PrintWriter out;
    private final ProgressLine progress;
    private final String backend;
    private final long seed;
    private final List<StepResult> results = new ArrayList<>();

    StepReport(PrintWriter out, ProgressLine progress, String backend, long seed) {
        this.progress = progress;
        this.table = new StepTable(out);
        this.out = out;
        this.backend = backend;
        this.seed = seed;
    }

    void begin(PlanSteps steps) {
        out.println("# " + steps.steps().size() + " runs, backend " + backend + ", seed " + seed);
        if (!steps.steps().isEmpty() && steps.steps().stream().noneMatch(PlanStep::isMeasured)) {
            out.println("# results are checked, and not measured; --iterations N measures");
        }
        table.header();
        steps.refused().forEach(this::add);
    }

    /** Called when a run starts. */
    void running(int number, int of, PlanStep step) {
        progress.begin("run " + number + " of " + of + ": " + PlainText.escape(step.name()) + ", "
                + step.shape().messageBytes() + " bytes " + step.shape().type());
    }

    synchronized void add(StepResult result) {
        progress.end();
        results.add(result);
        table.row(result);
    }

    /** Called when no communicator can be opened any more. */
    void stopped(List<PlanStep> left, String reason) {
        left.forEach(step -> add(StepResult.of(step, Outcome.FAILED, "not run: " + reason)));
    }

    synchronized void end() {
        progress.end();
        out.println("# " + sum());
        out.flush();
    }

    private String sum() {
        return Arrays.stream(Outcome.values())
                .filter(outcome -> count(outcome) > 0)
                .map(outcome -> count(outcome) + " " + outcome.label())
                .collect(Collectors.joining(", "));
    }

    private long count(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }

    /** Whether at least one run was possible, and all possible runs passed. */
    synchronized boolean isRight() {
        return count(Outcome.RIGHT) > 0
                && results.stream().noneMatch(result -> result.outcome().isFailure());
    }

    synchronized String json() {
        return StepJson.of(backend, seed, isRight(), sum(), results);
    }
}
