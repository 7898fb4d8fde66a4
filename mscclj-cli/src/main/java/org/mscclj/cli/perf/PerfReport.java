package org.mscclj.cli.perf;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.mscclj.api.error.MsccljException;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.FindingLog;
import org.mscclj.cli.check.Verdict;
import org.mscclj.cli.measure.Progress;

/**
 * Tells about a measurement: a table, progress and findings beside it, and what files hold. Rank 0 fills it, from its
 * thread.
 */
final class PerfReport {
    private final PerfTable table;
    private final Progress progress;
    private final FindingLog findings;
    private final Optional<PeerHeader> peer;
    private final String backend;
    private final List<PerfRow> rows = new ArrayList<>();
    private Optional<PerfHeader> header = Optional.empty();

    PerfReport(PrintWriter out, PrintWriter notes, String backend, Optional<PeerHeader> peer) {
        this.table = new PerfTable(out, peer);
        this.progress = new Progress(notes, Duration.ZERO);
        this.findings = new FindingLog(notes);
        this.peer = peer;
        this.backend = backend;
    }

    synchronized void begin(PerfHeader common) {
        header = Optional.of(common);
        table.header(common, backend);
    }

    synchronized void progress(CallShape shape, Placement placement) {
        header.ifPresent(common -> progress.measuring(
                rows.size() + 1, common.settings().counts().size(), shape, Optional.of(placement.label())));
    }

    synchronized void tell(Verdict verdict) {
        findings.tell(verdict);
    }

    synchronized void add(PerfRow row) {
        rows.add(row);
        header.ifPresent(common -> table.row(common.settings(), row));
    }

    /** The ranks could not go on. */
    synchronized void failed(MsccljException e) {
        findings.failed(e);
    }

    /** All sizes are there. */
    synchronized void end() {
        header.ifPresent(common -> table.end(averageBusBandwidth(), Spread.of(rows)));
    }

    synchronized boolean isRight() {
        return findings.failure().isEmpty();
    }

    /** What files show; empty if rank 0 is elsewhere, or did not begin. */
    synchronized Optional<PerfResults> results() {
        return header.map(
                common -> new PerfResults(common, backend, peer, rows, averageBusBandwidth(), findings.failure()));
    }

    /** The mean over all sizes and placements, as in nccl-tests. */
    private OptionalDouble averageBusBandwidth() {
        return rows.stream()
                .flatMap(PerfRow::all)
                .flatMap(measurement -> measurement.busBandwidth().stream().boxed())
                .mapToDouble(Double::doubleValue)
                .average();
    }
}
