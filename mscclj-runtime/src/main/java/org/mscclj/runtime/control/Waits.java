package org.mscclj.runtime.control;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which rank waits for which, by what ranks say of themselves.
 *
 * @param others all ranks but the one that asks
 * @param reports of those of them that answer
 */
public record Waits(List<Integer> others, Map<Integer, LaunchReport> reports) {
    /**
     * Where the chains of waits end.
     *
     * @param idle ranks that wait for nobody themselves
     * @param silent ranks that do not answer
     */
    private record Ends(Set<Integer> idle, Set<Integer> silent) {}

    /**
     * The ranks that keep others waiting and wait for nobody themselves; if there are none, those that do not answer,
     * whatever they have to do with it; if all answer, the first ones.
     *
     * @param first ranks that the asking rank waits for
     */
    public List<Integer> behind(List<Integer> first) {
        Set<Integer> idle = endsOf(first).idle();
        return idle.isEmpty() ? silentOr(first) : List.copyOf(idle);
    }

    /**
     * Like {@link #behind}, but a rank that does not answer is among them also if others are idle: in a call that all
     * ranks make, each that does not come keeps the others waiting.
     *
     * @param first ranks that the asking rank waits for
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
            if (!others.contains(rank) || !seen.add(rank)) { // the asking rank is to blame for nothing
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

    /** A rank that waits in a call for the asking one alone has called something else than that one. */
    private boolean waitsForOthers(LaunchReport report) {
        return report.callAwaits().stream().anyMatch(others::contains);
    }

    /** Ranks that have not made a launch that all ranks make. */
    private List<Integer> notCalled(long sequence) {
        return others.stream()
                .filter(rank -> reports.containsKey(rank) && reports.get(rank).launches() < sequence)
                .toList();
    }
}
