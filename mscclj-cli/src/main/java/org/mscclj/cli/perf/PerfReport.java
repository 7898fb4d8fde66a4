package org.mscclj.cli.perf;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.mscclj.api.error.MsccljException;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.FindingLog;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.measure.ProgressLine;

/**
 * Reports a measurement: prints a table, progress and findings, and supplies the content of files. Rank 0 fills it from
 * its thread.
 */
final class PerfReport {
    private final PerfTable table;
    private final ProgressLine progress;
    private final FindingLog findings;
    private final List<PeerHeader> peers;
    private final String backend;
    private final List<PerfRow> rows = new ArrayList<>();
    private Optional<PerfHeader> header = Optional.empty();

    PerfReport(PrintWriter out, PrintWriter notes, String backend, List<PeerHeader> peers) {
        this.table = new PerfTable(out, peers);
        this.progress = new ProgressLine(notes, Duration.ZERO);
        this.findings = new FindingLog(notes);
        this.peers = List.copyOf(peers);
        this.backend = backend;
    }

    synchronized void begin(PerfHeader common) {
        header = Optional.of(common);
        table.header(common, backend);
    }

    synchronized void progress(CheckedCall shape, BufferPlacement placement) {
        header.ifPresent(common -> progress.measuring(
                rows.size() + 1, common.settings().counts().size(), shape, Optional.of(placement.label())));
    }

    synchronized void verdict(LaunchFindings verdict) {
        findings.add(verdict);
    }

    synchronized void add(PerfRow row) {
        rows.add(row);
        header.ifPresent(common -> table.row(common.settings(), row));
    }

    /** Reports an error that has ended the ranks. */
    synchronized void failed(MsccljException e) {
        findings.failed(e);
    }

    /** Called when all sizes are measured. */
    synchronized void end() {
        header.ifPresent(common -> table.end(averageBusBandwidth(), Spread.of(rows)));
    }

    synchronized boolean isRight() {
        return findings.failure().isEmpty();
    }

    /** Returns the results for files; empty if rank 0 is in another process or has not started. */
    synchronized Optional<PerfResults> results() {
        return header.map(
                common -> new PerfResults(common, backend, peers, rows, averageBusBandwidth(), findings.failure()));
    }

    /** Returns the mean over all sizes and placements, as in nccl-tests. */
    private OptionalDouble averageBusBandwidth() {
        return rows.stream()
                .flatMap(PerfRow::all)
                .flatMap(measurement -> measurement.busBandwidth().stream().boxed())
                .mapToDouble(Double::doubleValue)
                .average();
    }
}
