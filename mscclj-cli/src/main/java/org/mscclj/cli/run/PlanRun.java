package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.Verdict;
import org.mscclj.cli.check.Verifier;

/** Runs all sizes, and tells about them: results in a table, findings and notes beside it. */
final class PlanRun {
    private final RunSettings settings;
    private final RunHeader header;
    private final ResultTable table;
    private final PrintWriter notes;
    private final List<RunResult> results = new ArrayList<>();
    private Optional<String> failure = Optional.empty();

    PlanRun(RunSettings settings, PrintWriter out, PrintWriter notes) {
        this.settings = settings;
        this.header = new RunHeader(
                settings.shapes().getFirst(),
                settings.backend(),
                settings.options().ranksPerNode(),
                settings.seed());
        this.table = new ResultTable(out);
        this.notes = notes;
    }

    /**
     * Runs. A wrong result is told and the next size runs nevertheless; after anything else that goes wrong the ranks cannot go on.
     *
     * @throws MsccljException if a launch fails or times out
     */
    void run() {
        table.header(header);
        try (PlanSession session = PlanSession.open(settings.options(), LaunchDelay.NONE)) {
            for (CallShape shape : settings.shapes()) {
                RunResult result = run(session, shape);
                results.add(result);
                table.row(header, result);
            }
        } catch (MsccljException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private RunResult run(PlanSession session, CallShape shape) {
        try (PreparedCall call = session.prepare(shape)) {
            Verdict verdict = call.check(settings.seed());
            OptionalDouble micros = OptionalDouble.empty();
            int iterations = settings.iterations(shape);
            if (verdict.isRight() && iterations > 0) {
                call.fillWithZeros();
                call.warmUp(settings.warmUpNanos());
                micros = OptionalDouble.of(call.time(iterations) / 1e3);
                // Stale packets and counters show only after many launches.
                verdict = call.check(settings.seed() + 1);
            }
            tell(verdict);
            return new RunResult(shape, micros, verdict.wrong());
        }
    }

    private void tell(Verdict verdict) {
        if (verdict.checkedElements() < verdict.elements() && header.example().collective() != Collective.TEST) {
            notes.println("note: looked at " + verdict.checkedElements() + " of " + verdict.elements()
                    + " elements of each output, as they are larger than " + (Verifier.FULL_BYTES >> 20) + " MiB");
        }
        for (String sentence : verdict.sentences()) {
            notes.println("mscclj: " + sentence);
            failure = failure.or(() -> Optional.of(sentence));
        }
        notes.flush();
    }

    boolean isRight() {
        return failure.isEmpty();
    }

    String json() {
        return JsonReport.of(header, results, failure);
    }
}
