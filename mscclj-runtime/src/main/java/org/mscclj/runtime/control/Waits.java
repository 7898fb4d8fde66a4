package org.mscclj.runtime.control;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which rank waits for which, by the reports of the ranks.
 *
 * @param others all ranks but the asking one
 * @param reports the reports of those of them that answer
 */
public record Waits(List<Integer> others, Map<Integer, LaunchReport> reports) {
    /**
     * The ends of the chains of waits.
     *
     * @param idle ranks that wait for no other rank
     * @param silent ranks that do not answer
     */
    private record Ends(Set<Integer> idle, Set<Integer> silent) {}

    /**
     * Returns the ranks that keep others waiting and wait for no rank themselves. If there are none, returns all ranks
     * that do not answer, whether or not they are part of a chain; if all answer, the ranks in {@code first}.
     *
     * @param first the ranks that the asking rank waits for
     */
    public List<Integer> behind(List<Integer> first) {
        Set<Integer> idle = endsOf(first).idle();
        return idle.isEmpty() ? silentOr(first) : List.copyOf(idle);
    }

    /**
     * Returns the ranks that keep others waiting, like {@link #behind}, but with each rank that does not answer also if
     * others are idle: in a call that all ranks make, each rank that does not come keeps the others waiting.
     *
     * @param first the ranks that the asking rank waits for
     */
    public List<Integer> keepWaiting(List<Integer> first) {
        Ends ends = endsOf(first);
        Set<Integer> all = new TreeSet<>(ends.idle());
        all.addAll(ends.silent());
        return all.isEmpty() ? silentOr(first) : List.copyOf(all);
    }

    private List<Integer> silentOr(List<Integer> first) {
        List<Integer> silent =
                others.stream().filter(rank -> !reports.containsKey(rank)).toList();
        return silent.isEmpty() ? first : silent;
    }

    private Ends endsOf(List<Integer> first) {
        Ends ends = new Ends(new TreeSet<>(), new TreeSet<>());
        Set<Integer> seen = new HashSet<>();
        Deque<Integer> open = new ArrayDeque<>(first);
        while (!open.isEmpty()) {
            int rank = open.remove();
            if (!others.contains(rank) || !seen.add(rank)) { // the asking rank is never to blame
                continue;
            }
            LaunchReport report = reports.get(rank);
            if (report == null) {
                ends.silent().add(rank);
            } else if (!report.messages().isEmpty() || waitsForOthers(report)) {
                open.addAll(report.awaited());
                open.addAll(report.callAwaits());
            } else if (report.completed() < report.launches()) {
                open.addAll(notCalled(report.completed() + 1));
            } else {
                ends.idle().add(rank);
            }
        }
        return ends;
    }

    /**
     * Returns whether a rank waits for other ranks than the asking one. A rank that waits in a call for the asking rank
     * alone has made another call than that rank.
     */
    private boolean waitsForOthers(LaunchReport report) {
        return report.callAwaits().stream().anyMatch(others::contains);
    }

    /** Returns the ranks that have not made a launch that all ranks make. */
    private List<Integer> notCalled(long sequence) {
        return others.stream()
                .filter(rank -> reports.containsKey(rank) && reports.get(rank).launches() < sequence)
                .toList();
    }
}
