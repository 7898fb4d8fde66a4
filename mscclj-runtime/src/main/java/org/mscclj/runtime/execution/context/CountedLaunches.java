package org.mscclj.runtime.execution.context;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * State of the launch that this rank has started last in a context, by the counters of the ranks of this node.
 *
 * @param late ranks that have not begun the launch
 * @param unfinished ranks that have begun the launch and not finished it
 * @param unseen ranks whose counters this rank cannot read
 * @param idle whether this rank itself has finished what it has started
 */
public record CountedLaunches(List<Integer> late, List<Integer> unfinished, List<Integer> unseen, boolean idle) {
    /** Reads the counters. May call a driver. */
    static CountedLaunches of(PlanContext context, int rank, int size) {
        long mine = context.started(rank);
        boolean idle = mine >= 0 && context.finished(rank) >= mine;
        CountedLaunches counted = new CountedLaunches(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), idle);
        for (int peer = 0; peer < size; peer++) {
            long started = context.started(peer);
            if (started < 0) {
                counted.unseen.add(peer);
            } else if (started < mine) {
                counted.late.add(peer);
            } else if (context.finished(peer) < mine) {
                counted.unfinished.add(peer);
            }
        }
        return counted;
    }

    /** Returns the state where the device does not answer: no rank's counters can be read. */
    public static CountedLaunches none(int size) {
        return new CountedLaunches(
                List.of(), List.of(), IntStream.range(0, size).boxed().toList(), false);
    }
}
