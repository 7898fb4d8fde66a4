package org.mscclj.cli.perf;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.report.Decimal;

/** Prints measurements with the columns of nccl-tests, and the peer's beside them. */
final class PerfTable {
    private static final String OURS = "  %10s %7s %7s %6s";
    private static final String PEER = " %10s %6s";

    private final PrintWriter out;
    private final Optional<PeerHeader> peer;

    PerfTable(PrintWriter out, Optional<PeerHeader> peer) {
        this.out = out;
        this.peer = peer;
    }

    void header(PerfHeader header, String backend) {
        PerfSettings settings = header.settings();
        out.printf(
                Locale.ROOT,
                "# %s, %d ranks, %d on each node, backend %s, seed %d%n",
                settings.collective(),
                settings.ranks(),
                header.ranksPerNode(),
                backend,
                header.seed());
        out.printf(Locale.ROOT, "# time: %s%n", settings.timing());
        out.printf(Locale.ROOT, "# check: %s%n", header.tolerance());
        peer.ifPresent(other -> out.printf(
                Locale.ROOT,
                "# %s: its time, and how many times as fast as it we are; %s%n",
                other.name(),
                other.description()));
        out.println("#");
        int width = String.format(Locale.ROOT, OURS, "", "", "", "").length()
                + (peer.isPresent() ? String.format(Locale.ROOT, PEER, "", "").length() : 0);
        StringBuilder groups = new StringBuilder(
                "#" + " ".repeat(callCells("size", "", "", "", "").length() - 1));
        for (BufferPlacement placement : BufferPlacement.values()) {
            groups.append(centred(placement.label(), width));
        }
        out.println(groups.toString().stripTrailing());
        names(
                "size",
                "count",
                "type",
                "redop",
                "root",
                "time",
                "algbw",
                "busbw",
                "#wrong",
                peer.map(PeerHeader::name).orElse(""),
                "ratio");
        names("(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "(us)", "");
        out.flush();
    }

    private void names(
            String size,
            String count,
            String type,
            String redop,
            String root,
            String time,
            String algbw,
            String busbw,
            String wrong,
            String peerTime,
            String ratio) {
        String ours = String.format(Locale.ROOT, OURS, time, algbw, busbw, wrong)
                + (peer.isPresent() ? String.format(Locale.ROOT, PEER, peerTime, ratio) : "");
        String line = callCells(size, count, type, redop, root) + ours + ours;
        out.println(("#" + line.substring(1)).stripTrailing());
    }

    void row(PerfSettings settings, PerfRow row) {
        CheckedCall shape = row.shape();
        StringBuilder line = new StringBuilder(
                callCells(shape.messageBytes(), shape.count(), shape.type(), shape.opLabel(), settings.shownRoot()));
        for (BufferPlacement placement : BufferPlacement.values()) {
            line.append(row.of(placement).map(this::cells).orElseGet(this::noCells));
        }
        out.println(line);
        out.flush();
    }

    void end(OptionalDouble averageBusBandwidth, List<String> spread) {
        out.println("#");
        spread.forEach(line -> out.println("# " + line));
        out.println("# average bus bandwidth: " + Decimal.of(averageBusBandwidth) + " GB/s");
        out.flush();
    }

    private static String callCells(Object size, Object count, Object type, Object redop, Object root) {
        return String.format(Locale.ROOT, "%14s %13s %12s %15s %6s", size, count, type, redop, root);
    }

    private String cells(Measurement measurement) {
        String wrong = measurement.wrong().isPresent()
                ? Long.toString(measurement.wrong().getAsLong())
                : "N/A";
        String ours = String.format(
                Locale.ROOT,
                OURS,
                Decimal.of(measurement.micros()),
                Decimal.of(measurement.algorithmBandwidth()),
                Decimal.of(measurement.busBandwidth()),
                wrong);
        return peer.isEmpty()
                ? ours
                : ours
                        + String.format(
                                Locale.ROOT,
                                PEER,
                                Decimal.of(measurement.peerMicros()),
                                Decimal.of(measurement.ratio()));
    }

    private String noCells() {
        return String.format(Locale.ROOT, OURS, "-", "-", "-", "-")
                + (peer.isPresent() ? String.format(Locale.ROOT, PEER, "-", "-") : "");
    }

    private static String centred(String text, int width) {
        int left = (width - text.length()) / 2;
        return " ".repeat(left) + text + " ".repeat(width - text.length() - left);
    }
}
