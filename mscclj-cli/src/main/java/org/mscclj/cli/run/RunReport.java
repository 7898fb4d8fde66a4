package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.FindingLog;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.check.RankVerifier;
import org.mscclj.cli.measure.ProgressLine;

/** Reports a run: prints results in a table, findings and notes beside it. Rank 0 fills it from its thread. */
final class RunReport {
    private final ResultTable table;
    private final PrintWriter notes;
    private final ProgressLine progress;
    private final FindingLog findings;
    private final List<RunResult> results = new ArrayList<>();
    private Optional<RunHeader> header = Optional.empty();

    /**
     * Creates the report of a run before its start.
     *
     * @param delay the time after which the present size is printed
     */
    RunReport(PrintWriter out, PrintWriter notes, Duration delay) {
        this.table = new ResultTable(out);
        this.notes = notes;
        this.progress = new ProgressLine(notes, delay);
        this.findings = new FindingLog(notes);
    }

    synchronized void begin(RunHeader header) {
        this.header = Optional.of(header);
        table.header(header);
    }

    /** Called when a size starts. */
    synchronized void measuring(int number, int of, CheckedCall shape) {
        progress.measuring(number, of, shape, Optional.empty());
    }

    synchronized void add(RunResult result, LaunchFindings verdict) {
        progress.end();
        if (verdict.checkedElements() < verdict.elements() && result.shape().collective() != Collective.TEST) {
            notes.println("note: checked " + verdict.checkedElements() + " of " + verdict.elements()
                    + " elements of each output, as they are larger than " + (RankVerifier.FULL_BYTES >> 20) + " MiB");
        }
        if (verdict.bitsDiffer() && verdict.bitsMayDiffer()) {
            notes.println("note: the outputs differ in their bits, which this plan allows: it computes elements in"
                    + " several places, in"
                    + " different orders");
        }
        findings.add(verdict);
        results.add(result);
        table.row(result);
    }

    /** Reports an error that has ended the ranks. */
    synchronized void failed(MsccljException e) {
        progress.end();
        findings.failed(e);
    }

    synchronized boolean isRight() {
        return findings.failure().isEmpty();
    }

    /** Returns the header; empty if the run has not started, or rank 0 is in another process. */
    synchronized Optional<String> json() {
        return header.map(common -> JsonReport.of(common, results, findings.failure()));
    }
}
