package org.mscclj.runtime.fault;

import java.util.List;
import java.util.stream.Collectors;

/** Formats lists of ranks for messages. */
final class RankNames {
    private RankNames() {}

    /** Returns, for example, "rank 2", or "ranks 0, 1 and 3". */
    static String of(List<Integer> ranks) {
        if (ranks.size() == 1) {
            return "rank " + ranks.getFirst();
        }
        return "ranks "
                + ranks.subList(0, ranks.size() - 1).stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "))
                + " and " + ranks.getLast();
    }
}
