package org.mscclj.runtime.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * How far the ranks are with the launch that this rank waits for: for messages about time-outs.
 *
 * @param missing ranks that have not begun it
 * @param elsewhere those of them that have launched as often as this rank nevertheless
 * @param unfinished ranks of this node that have launched it and not finished
 * @param silent ranks of other nodes that do not say whether they have launched it
 */
record LaunchProgress(List<Integer> missing, List<Integer> elsewhere, List<Integer> unfinished, List<Integer> silent) {
    /** Ranks answer at once, unless they are stopped or far away. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(1);

    /** Looks at the counters of ranks of this node, and asks who is late or cannot be seen. Waits for their answers, a second at most. */
    static LaunchProgress find(ExecutionEnvironment environment, PlanContext context) {
        ControlPlane control = environment.control();
        List<Integer> late = new ArrayList<>();
        List<Integer> unfinished = new ArrayList<>();
        List<Integer> unseen = new ArrayList<>();
        long mine = context.started(control.rank());
        for (int peer = 0; peer < control.size(); peer++) {
            long started = context.started(peer);
            if (started < 0) {
                unseen.add(peer);
            } else if (started < mine) {
                late.add(peer);
            } else if (context.finished(peer) < mine) {
                unfinished.add(peer);
            }
        }
        List<Integer> asked = Stream.concat(late.stream(), unseen.stream()).toList();
        long current = current(environment.order());
        Map<Integer, Long> launches = asked.isEmpty() ? Map.of() : control.launchesOf(asked, LONGEST_ANSWER);
        List<Integer> missing = asked.stream()
                .filter(peer -> late.contains(peer) || launches.getOrDefault(peer, current) < current)
                .sorted()
                .toList();
        return new LaunchProgress(
                missing,
                late.stream()
                        .filter(peer -> launches.getOrDefault(peer, 0L) >= current)
                        .toList(),
                unfinished,
                unseen.stream().filter(peer -> !launches.containsKey(peer)).toList());
    }

    /** The launch that keeps this rank, among those of its communicator: the first that has not ended. */
    private static long current(LaunchOrder order) {
        return Math.min(order.shared(), order.endedCount() + 1 - order.alone());
    }

    /** In words. */
    @Override
    public String toString() {
        if (!elsewhere.isEmpty()) {
            return "ranks " + missing + " have not begun it, although ranks " + elsewhere
                    + " have launched as often as this rank: another call in its place, unless earlier work holds them up"
                    + "; all ranks must make the same calls in the same order";
        }
        if (!missing.isEmpty()) {
            return "ranks " + missing + " have not launched it"
                    + (silent.isEmpty() ? "" : ", and ranks " + silent + " do not say whether they have");
        }
        return silent.isEmpty()
                ? "all ranks have launched it, and ranks " + unfinished
                        + " have not finished: the plan may wait for a signal that never comes"
                : "ranks " + silent + " do not say whether they have launched it, all others have, and ranks "
                        + unfinished + " have not finished";
    }
}
