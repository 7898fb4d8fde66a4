package org.mscclj.cli.perf;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.Times;
import org.mscclj.cli.report.Decimal;

/**
 * Prints measurements: the columns of nccl-tests, then the launches and the spread of the samples, and the time, spread
 * and ratio of each peer.
 */
final class PerfTable {
    private static final String CALL = "%14s %13s %12s %15s %6s";
    private static final String OURS = "  %10s %7s %7s %6s %9s %6s";
    private static final String PEER = " %10s %6s %6s";

    private final PrintWriter out;
    private final List<PeerHeader> peers;

    PerfTable(PrintWriter out, List<PeerHeader> peers) {
        this.out = out;
        this.peers = List.copyOf(peers);
    }

    void header(PerfHeader header, String backend) {
        PerfSettings settings = header.settings();
        comment(String.format(
                Locale.ROOT,
                "%s, %d ranks, %d on each node, backend %s, seed %d",
                settings.collective(),
                settings.ranks(),
                header.ranksPerNode(),
                backend,
                header.seed()));
        comment("time: " + header.timing());
        comment("spread: the span of the middle half of the samples, in per cent of the median");
        comment("check: " + header.tolerance());
        peers.forEach(peer ->
                comment(peer.name() + ": its time, and how many times as fast as it we are; " + peer.description()));
        comment("");
        StringBuilder names = new StringBuilder(row(OURS, "time", "algbw", "busbw", "#wrong", "launches", "spread"));
        StringBuilder units = new StringBuilder(row(OURS, "(us)", "(GB/s)", "(GB/s)", "", "", "(%)"));
        for (PeerHeader peer : peers) {
            names.append(row(PEER, peer.name(), "spread", "ratio"));
            units.append(row(PEER, "(us)", "(%)", ""));
        }
        StringBuilder groups = new StringBuilder(row(CALL, "", "", "", "", ""));
        for (BufferPlacement placement : BufferPlacement.values()) {
            groups.append(centred(placement.label(), names.length()));
        }
        columns(groups);
        columns(row(CALL, "size", "count", "type", "redop", "root") + names + names);
        columns(row(CALL, "(B)", "(elements)", "", "", "") + units + units);
        out.flush();
    }

    void row(PerfSettings settings, PerfRow row) {
        CheckedCall shape = row.shape();
        StringBuilder line = new StringBuilder(
                row(CALL, shape.messageBytes(), shape.count(), shape.type(), shape.opLabel(), settings.shownRoot()));
        for (BufferPlacement placement : BufferPlacement.values()) {
            line.append(row.of(placement).map(this::cells).orElseGet(this::noCells));
        }
        out.println(line);
        out.flush();
    }

    void end(OptionalDouble averageBusBandwidth, List<String> spread) {
        comment("");
        spread.forEach(this::comment);
        comment("average bus bandwidth: " + Decimal.of(averageBusBandwidth) + " GB/s");
        out.flush();
    }

    private String cells(Measurement measurement) {
        String wrong = measurement.wrong().isPresent()
                ? Long.toString(measurement.wrong().getAsLong())
                : "N/A";
        StringBuilder cells = new StringBuilder(row(
                OURS,
                Decimal.of(measurement.micros()),
                Decimal.of(measurement.algorithmBandwidth()),
                Decimal.of(measurement.busBandwidth()),
                wrong,
                measurement.launches(),
                spread(measurement.times())));
        for (int i = 0; i < peers.size(); i++) {
            cells.append(row(
                    PEER,
                    Decimal.of(measurement.peerMicros(i)),
                    spread(measurement.peers().get(i)),
                    Decimal.of(measurement.ratio(i))));
        }
        return cells.toString();
    }

    private String noCells() {
        return row(OURS, "-", "-", "-", "-", "-", "-")
                + row(PEER, "-", "-", "-").repeat(peers.size());
    }

    private static String spread(Optional<Times> times) {
        return times.map(known -> String.format(Locale.ROOT, "%.1f", known.quartilePercent()))
                .orElse("-");
    }

    private void comment(String text) {
        out.println(("# " + text).strip());
    }

    /** Prints a line of columns whose first character is free. */
    private void columns(CharSequence line) {
        out.println(("#" + line.toString().substring(1)).stripTrailing());
    }

    private static String row(String format, Object... cells) {
        return String.format(Locale.ROOT, format, cells);
    }

    private static String centred(String text, int width) {
        int left = (width - text.length()) / 2;
        return " ".repeat(left) + text + " ".repeat(width - text.length() - left);
    }
}
