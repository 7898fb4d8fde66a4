package org.mscclj.runtime.fault;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.runtime.control.LaunchReport;

/**
 * Who waits for whom, by what ranks say of themselves.
 *
 * @param others all ranks but the one that asks
 * @param reports of those of them that answer
 */
record Waits(List<Integer> others, Map<Integer, LaunchReport> reports) {
    /**
     * The ranks that keep others waiting and wait for nobody themselves; if there are none, those that do not answer, whatever they have to do with it; if all answer, the
     * first ones.
     *
     * @param first whom the rank that asks waits for
     */
    List<Integer> behind(List<Integer> first) {
        Set<Integer> idle = new TreeSet<>();
        Set<Integer> seen = new HashSet<>();
        Deque<Integer> open = new ArrayDeque<>(first);
        while (!open.isEmpty()) {
            int rank = open.remove();
            LaunchReport report = reports.get(rank);
            if (report == null || !seen.add(rank)) {
                continue;
            }
            if (!report.messages().isEmpty()) {
                open.addAll(report.awaited());
            } else if (report.completed() < report.launches()) {
                open.addAll(notCalled(report.completed() + 1));
            } else {
                idle.add(rank);
            }
        }
        if (!idle.isEmpty()) {
            return List.copyOf(idle);
        }
        List<Integer> silent =
                others.stream().filter(rank -> !reports.containsKey(rank)).toList();
        return silent.isEmpty() ? first : silent;
    }

    /** Ranks that have not made a launch that all ranks make. */
    private List<Integer> notCalled(long sequence) {
        return others.stream()
                .filter(rank -> reports.containsKey(rank) && reports.get(rank).launches() < sequence)
                .toList();
    }
}
