package org.mscclj.cli.selftest;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * One run of this command.
 *
 * @param kind what it is about
 * @param title what tables call it
 * @param ranks number of ranks, if it has one
 * @param where where the ranks live, if it has any
 * @param arguments of the command
 * @param mustSay what a line of its output must match, else it has failed, although it ended well
 */
record Part(
        PartKind kind,
        String title,
        OptionalInt ranks,
        Optional<Where> where,
        List<String> arguments,
        Optional<Pattern> mustSay) {
    Part {
        arguments = List.copyOf(arguments);
    }

    /**
     * Its share of the time of its kind. Plans and rules by threads come first, and compile what processes then find in
     * the cache; rules by threads are nearly all of them, those by processes a few.
     */
    int weight() {
        if (kind == PartKind.PERF || kind == PartKind.STRESS || where.isEmpty() || where.get() != Where.THREADS) {
            return 1;
        }
        return kind == PartKind.CONFORMANCE ? 4 : 2;
    }

    /** The name of its files, without their endings. */
    String fileName() {
        return fileName(title, ranks, where);
    }

    static String fileName(String title, OptionalInt ranks, Optional<Where> where) {
        return title.replace(' ', '-')
                + (ranks.isPresent() ? "-" + ranks.getAsInt() : "")
                + where.map(one -> "-" + one.label()).orElse("");
    }

    /** Number of ranks as tables have it. */
    String ranksLabel() {
        return ranks.isPresent() ? Integer.toString(ranks.getAsInt()) : "-";
    }

    /** Where ranks live as tables have it. */
    String whereLabel() {
        return where.map(Where::label).orElse("-");
    }
}
