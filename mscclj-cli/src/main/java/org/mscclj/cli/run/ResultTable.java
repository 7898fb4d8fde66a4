package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalDouble;

/** Prints results with the columns of nccl-tests. */
final class ResultTable {
    private static final String ROW = "%14s %13s %12s %12s %11s %8s %8s %7s%n";

    private final PrintWriter out;

    ResultTable(PrintWriter out) {
        this.out = out;
    }

    void header(RunHeader header) {
        var shape = header.example();
        out.printf(
                "# plan %s: %s, %s, %d ranks, %d on each node, backend %s%n",
                shape.plan().name(),
                shape.collective(),
                shape.plan().inPlace() ? "in place" : "out of place",
                shape.ranks(),
                header.ranksPerNode(),
                header.backend());
        out.printf("# packets %s, seed %d%n", header.packets(), header.seed());
        out.printf("# check: %s%n", header.tolerance());
        out.println("#");
        out.printf(
                '#' + ROW.substring(0, 1) + "13" + ROW.substring(3),
                "size",
                "count",
                "type",
                "redop",
                "time",
                "algbw",
                "busbw",
                "#wrong");
        out.printf(
                '#' + ROW.substring(0, 1) + "13" + ROW.substring(3),
                "(B)",
                "(elements)",
                "",
                "",
                "(us)",
                "(GB/s)",
                "(GB/s)",
                "");
        out.flush();
    }

    void row(RunHeader header, RunResult result) {
        var shape = result.shape();
        out.printf(
                ROW,
                shape.messageBytes(),
                shape.count(),
                shape.type(),
                header.op(),
                number(result.micros()),
                number(result.algorithmBandwidth()),
                number(result.busBandwidth()),
                header.tolerance().startsWith("nothing") ? "N/A" : String.valueOf(result.wrong()));
        out.flush();
    }

    private static String number(OptionalDouble value) {
        return value.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", value.getAsDouble());
    }
}
