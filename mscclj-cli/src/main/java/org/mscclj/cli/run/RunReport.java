package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.FindingLog;
import org.mscclj.cli.check.RankVerifier;
import org.mscclj.cli.check.Verdict;
import org.mscclj.cli.measure.Progress;

/** Tells about a run: results in a table, findings and notes beside it. Rank 0 fills it, from its thread. */
final class RunReport {
    private final ResultTable table;
    private final PrintWriter notes;
    private final Progress progress;
    private final FindingLog findings;
    private final List<RunResult> results = new ArrayList<>();
    private Optional<RunHeader> header = Optional.empty();

    /**
     * Of a run that has not begun.
     *
     * @param patience how long a size may take without a word
     */
    RunReport(PrintWriter out, PrintWriter notes, Duration patience) {
        this.table = new ResultTable(out);
        this.notes = notes;
        this.progress = new Progress(notes, patience);
        this.findings = new FindingLog(notes);
    }

    synchronized void begin(RunHeader header) {
        this.header = Optional.of(header);
        table.header(header);
    }

    /** A size begins. */
    synchronized void measuring(int number, int of, CallShape shape) {
        progress.measuring(number, of, shape, Optional.empty());
    }

    synchronized void add(RunResult result, Verdict verdict) {
        progress.end();
        if (verdict.checkedElements() < verdict.elements() && result.shape().collective() != Collective.TEST) {
            notes.println("note: looked at " + verdict.checkedElements() + " of " + verdict.elements()
                    + " elements of each output, as they are larger than " + (RankVerifier.FULL_BYTES >> 20) + " MiB");
        }
        if (verdict.bitsDiffer() && verdict.bitsMayDiffer()) {
            notes.println("note: the outputs differ in their bits, which this plan allows: it computes elements in"
                    + " several places, in"
                    + " different orders");
        }
        findings.tell(verdict);
        results.add(result);
        table.row(result);
    }

    /** The ranks could not go on. */
    synchronized void failed(MsccljException e) {
        progress.end();
        findings.failed(e);
    }

    synchronized boolean isRight() {
        return findings.failure().isEmpty();
    }

    /** Empty if the run did not begin, or begins elsewhere. */
    synchronized Optional<String> json() {
        return header.map(common -> JsonReport.of(common, results, findings.failure()));
    }
}
