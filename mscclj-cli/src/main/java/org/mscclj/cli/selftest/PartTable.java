package org.mscclj.cli.selftest;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints a line for each part. */
final class PartTable {
    private static final int SUMMARY_WIDTH = 100;

    private PartTable() {}

    static void print(PrintWriter out, List<PartResult> results) {
        line(out, "part", "ranks", "as", "result", "seconds", "log", "");
        for (PartResult result : results) {
            SelftestPart part = result.part();
            line(
                    out,
                    part.title(),
                    part.ranksLabel(),
                    part.whereLabel(),
                    result.outcome().label(),
                    result.seconds(),
                    result.log().getFileName(),
                    shortened(result.summary()));
        }
    }

    private static String shortened(String text) {
        return text.length() > SUMMARY_WIDTH ? text.substring(0, SUMMARY_WIDTH - 3) + "..." : text;
    }

    private static void line(PrintWriter out, Object... cells) {
        out.println(String.format(Locale.ROOT, "%-20s %5s  %-9s  %-9s %8s  %-32s  %s", cells)
                .stripTrailing());
    }
}
