package org.mscclj.cli.selftest;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A part of a self-test: one run of this command.
 *
 * @param kind the kind of the part
 * @param title its name in tables
 * @param ranks the number of ranks, if it has one
 * @param where threads or processes, if it has ranks
 * @param arguments the arguments of the command
 * @param mustSay a pattern that a line of its output must match; otherwise the part has failed even with exit code 0
 */
record SelftestPart(
        PartKind kind,
        String title,
        OptionalInt ranks,
        Optional<RankKind> where,
        List<String> arguments,
        Optional<Pattern> mustSay) {
    SelftestPart {
        arguments = List.copyOf(arguments);
    }

    /**
     * Returns its weight in the time of its kind. Parts with threads come first, and fill the cache of compiled kernels
     * for those with processes. Threads check nearly all rules, processes only a few.
     */
    int weight() {
        if (kind == PartKind.PERF || kind == PartKind.STRESS || where.isEmpty() || where.get() != RankKind.THREADS) {
            return 1;
        }
        return kind == PartKind.CONFORMANCE ? 4 : 2;
    }

    /** Returns the name of its files, without extension. */
    String fileName() {
        return fileName(title, ranks, where);
    }

    static String fileName(String title, OptionalInt ranks, Optional<RankKind> where) {
        return title.replace(' ', '-')
                + (ranks.isPresent() ? "-" + ranks.getAsInt() : "")
                + where.map(one -> "-" + one.label()).orElse("");
    }

    /** Returns the number of ranks in tables. */
    String ranksLabel() {
        return ranks.isPresent() ? Integer.toString(ranks.getAsInt()) : "-";
    }

    /** Returns the kind of ranks in tables. */
    String whereLabel() {
        return where.map(RankKind::label).orElse("-");
    }
}
