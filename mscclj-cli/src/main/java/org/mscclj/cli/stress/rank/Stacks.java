package org.mscclj.cli.stress.rank;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The stacks of the threads of this process that run code of mscclj. The VM does not list virtual threads. */
final class Stacks {
    private static final String OWN = "org.mscclj.";
    private static final int MAX_FRAMES = 24;

    private Stacks() {}

    /** Returns the stacks of all threads but the calling one. */
    static RankReport report() {
        String stacks = Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> !thread.getKey().equals(Thread.currentThread()))
                .filter(thread -> Stream.of(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith(OWN)))
                .map(Stacks::text)
                .sorted()
                .collect(Collectors.joining("; "));
        return new RankReport(RankReport.Kind.STACKS, List.of(), stacks);
    }

    private static String text(Map.Entry<Thread, StackTraceElement[]> thread) {
        return thread.getKey().getName() + ": "
                + Arrays.stream(thread.getValue())
                        .limit(MAX_FRAMES)
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining(" < "));
    }
}
