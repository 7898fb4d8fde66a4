package org.mscclj.runtime.fault;

import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.runtime.control.LaunchReport;

/** Ranks, in words. */
final class RankNames {
    private RankNames() {}

    /** For example "rank 2", or "ranks 0, 1 and 3". */
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

    /** What a rank has done last, and the messages that it waits for. */
    static String doing(LaunchReport report) {
        String completed;
        if (report.completed() == 0) {
            completed = "has completed nothing";
        } else if (report.lastCompleted().isEmpty()) {
            completed = "last completed #" + report.completed();
        } else {
            completed = "last completed #" + report.completed() + ", " + report.lastCompleted();
        }
        return completed
                + (report.launches() > report.completed() ? ", last called #" + report.launches() : "")
                + (report.messages().isEmpty() ? "" : ", waits in messages (" + report.messages() + ")");
    }
}
