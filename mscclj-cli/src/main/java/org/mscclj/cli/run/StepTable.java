package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.util.Locale;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.report.Decimal;

/** Prints a line for each run. */
final class StepTable {
    private static final String FORMAT = "%7s %7s %13s %12s %14s %11s %8s %8s %7s %-11s  %s";

    private final PrintWriter out;

    StepTable(PrintWriter out) {
        this.out = out;
    }

    void header() {
        line("#", "ranks", "packets", "size", "count", "type", "redop", "time", "busbw", "#wrong", "result", "plan");
        line("#", "", "", "(B)", "(elements)", "", "", "(us)", "(GB/s)", "", "", "");
        out.flush();
    }

    void row(StepResult result) {
        if (result.step().isPresent()) {
            PlanStep step = result.step().get();
            CheckedCall shape = step.shape();
            line(
                    " ",
                    shape.ranks(),
                    step.packets(),
                    shape.messageBytes(),
                    shape.count(),
                    shape.type(),
                    shape.opLabel(),
                    Decimal.of(result.micros()),
                    Decimal.of(result.busBandwidth()),
                    wrong(result, shape),
                    result.outcome().label(),
                    PlainText.escape(result.name()));
        } else {
            line(
                    " ",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    result.outcome().label(),
                    PlainText.escape(result.name()));
        }
        if (!result.reason().isEmpty()) {
            out.println("        " + PlainText.escape(result.reason()));
        }
        out.flush();
    }

    private static String wrong(StepResult result, CheckedCall shape) {
        if (result.wrong().isEmpty()) {
            return "-";
        }
        return shape.collective() == Collective.TEST
                ? "N/A"
                : Long.toString(result.wrong().getAsLong());
    }

    private void line(String first, Object... cells) {
        out.println(String.format(Locale.ROOT, first + FORMAT, cells).stripTrailing());
    }
}
