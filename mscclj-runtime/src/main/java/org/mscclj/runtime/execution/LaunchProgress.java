package org.mscclj.runtime.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * How far the ranks are with the launch that this rank waits for: for messages about time-outs.
 *
 * @param missing ranks that have not launched it
 * @param unfinished ranks of this node that have launched it and not finished
 * @param silent ranks of other nodes that do not say whether they have launched it
 */
record LaunchProgress(List<Integer> missing, List<Integer> unfinished, List<Integer> silent) {
    /** Ranks answer at once, unless they are stopped or far away. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(1);

    /** Looks at the counters of ranks of this node, and asks those of others. Waits for their answers, a second at most. */
    static LaunchProgress find(ExecutionEnvironment environment, PlanContext context) {
        ControlPlane control = environment.control();
        List<Integer> missing = new ArrayList<>();
        List<Integer> unfinished = new ArrayList<>();
        List<Integer> unseen = new ArrayList<>();
        long mine = context.started(control.rank());
        for (int peer = 0; peer < control.size(); peer++) {
            long started = context.started(peer);
            if (started < 0) {
                unseen.add(peer);
            } else if (started < mine) {
                missing.add(peer);
            } else if (context.finished(peer) < mine) {
                unfinished.add(peer);
            }
        }
        List<Integer> silent = new ArrayList<>();
        if (!unseen.isEmpty()) {
            long current = current(environment.order());
            Map<Integer, Long> launches = control.launchesOf(unseen, LONGEST_ANSWER);
            for (int peer : unseen) {
                if (!launches.containsKey(peer)) {
                    silent.add(peer);
                } else if (launches.get(peer) < current) {
                    missing.add(peer);
                }
            }
            missing.sort(null);
        }
        return new LaunchProgress(missing, unfinished, silent);
    }

    /** The launch that keeps this rank, among those of its communicator: the first that has not ended. */
    private static long current(LaunchOrder order) {
        return Math.min(order.taken(), order.endedCount() + 1);
    }

    /** In words. */
    @Override
    public String toString() {
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
