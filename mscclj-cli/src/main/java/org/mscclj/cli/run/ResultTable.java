package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.util.Locale;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.report.Decimal;

/** Prints results with the columns of nccl-tests. */
final class ResultTable {
    /** The width of the first column, which is one less after the {@code #} of a header. */
    private static final String FIRST = "%14s";

    private static final String REST = " %13s %12s %14s %11s %8s %8s %7s";

    private final PrintWriter out;

    ResultTable(PrintWriter out) {
        this.out = out;
    }

    void header(RunHeader header) {
        CheckedCall shape = header.example();
        out.printf(
                Locale.ROOT,
                "# plan %s: %s, %s, %d ranks, %d on each node, backend %s%n",
                header.plan().label(),
                shape.collective(),
                shape.inPlace() ? "in place" : "out of place",
                shape.ranks(),
                header.ranksPerNode(),
                header.backend());
        out.printf(Locale.ROOT, "# packets %s, seed %d%n", header.packets(), header.seed());
        out.printf(Locale.ROOT, "# check: %s%n#%n", header.tolerance());
        line("#%13s", "size", "count", "type", "redop", "time", "algbw", "busbw", "#wrong");
        line("#%13s", "(B)", "(elements)", "", "", "(us)", "(GB/s)", "(GB/s)", "");
        out.flush();
    }

    void row(RunResult result) {
        CheckedCall shape = result.shape();
        line(
                FIRST,
                shape.messageBytes(),
                shape.count(),
                shape.type(),
                shape.opLabel(),
                Decimal.of(result.micros()),
                Decimal.of(result.algorithmBandwidth()),
                Decimal.of(result.busBandwidth()),
                shape.collective() == Collective.TEST ? "N/A" : result.wrong());
        out.flush();
    }

    private void line(String first, Object... cells) {
        out.println(String.format(Locale.ROOT, first + REST, cells).stripTrailing());
    }
}
