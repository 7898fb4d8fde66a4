package org.mscclj.analysis.picture;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;

/**
 * The step of each span: the length of the longest chain of spans before it, in its lane or by dependencies. All
 * operations can thus have equal widths, with every cause to the left of its effects.
 */
final class StepOrder {
    private final Timeline timeline;
    private final int[] steps;
    private final int[] missing;
    private final int[] next;
    private final int[][] effects;
    private final Queue<Integer> ready = new ArrayDeque<>();

    private StepOrder(List<Track> lanes, Timeline timeline) {
        this.timeline = timeline;
        int spans = timeline.spans().size();
        steps = new int[spans];
        missing = new int[spans];
        next = IntStream.range(0, spans).map(_ -> -1).toArray();
        for (Track lane : lanes) {
            for (int i = 1; i < lane.spans().size(); i++) {
                next[lane.spans().get(i - 1)] = lane.spans().get(i);
                missing[lane.spans().get(i)]++;
            }
        }
        effects = effects(spans);
    }

    /** The steps, from 0, by index in the timeline. */
    static int[] of(List<Track> lanes, Timeline timeline) {
        StepOrder order = new StepOrder(lanes, timeline);
        order.run();
        return order.steps;
    }

    private int[][] effects(int spans) {
        int[] counts = new int[spans];
        timeline.dependencies().forEach(dependency -> counts[dependency.from()]++);
        int[][] lists = new int[spans][];
        for (int i = 0; i < spans; i++) {
            lists[i] = new int[counts[i]];
        }
        for (Dependency dependency : timeline.dependencies()) {
            lists[dependency.from()][--counts[dependency.from()]] = dependency.to();
            missing[dependency.to()]++;
        }
        return lists;
    }

    private void run() {
        boolean[] done = new boolean[steps.length];
        for (int i = 0; i < steps.length; i++) {
            if (missing[i] == 0) {
                ready.add(i);
            }
        }
        // Spans that wait for each other, as at a barrier, are ordered by time.
        int[] byEnd = IntStream.range(0, steps.length)
                .boxed()
                .sorted(Comparator.comparing(timeline.spans()::get, Comparator.comparingDouble(Span::end))
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int candidate : byEnd) {
            drain(done);
            if (!done[candidate]) {
                ready.add(candidate);
                drain(done);
            }
        }
    }

    private void drain(boolean[] done) {
        while (!ready.isEmpty()) {
            int span = ready.remove();
            if (done[span]) {
                continue;
            }
            done[span] = true;
            if (next[span] >= 0) {
                propagate(next[span], steps[span], done);
            }
            for (int effect : effects[span]) {
                propagate(effect, steps[span], done);
            }
        }
    }

    private void propagate(int span, int after, boolean[] done) {
        if (done[span]) {
            return;
        }
        steps[span] = Math.max(steps[span], after + 1);
        if (--missing[span] == 0) {
            ready.add(span);
        }
    }
}
