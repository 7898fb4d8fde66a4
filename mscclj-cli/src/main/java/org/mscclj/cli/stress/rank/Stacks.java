package org.mscclj.cli.stress.rank;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the threads of this process are that run code of mscclj. The VM lists no virtual threads. */
final class Stacks {
    private static final String OWN = "org.mscclj.";
    private static final int MOST_FRAMES = 24;

    private Stacks() {}

    /** Tells all of them, but for the calling thread. */
    static Report report() {
        String stacks = Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> !thread.getKey().equals(Thread.currentThread()))
                .filter(thread -> Stream.of(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith(OWN)))
                .map(Stacks::text)
                .sorted()
                .collect(Collectors.joining("; "));
        return new Report(Report.Kind.STACKS, List.of(), stacks);
    }

    private static String text(Map.Entry<Thread, StackTraceElement[]> thread) {
        return thread.getKey().getName() + ": "
                + Arrays.stream(thread.getValue())
                        .limit(MOST_FRAMES)
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining(" < "));
    }
}
