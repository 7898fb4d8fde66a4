package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the counters of ranks of this node say of the launch of a context that this rank has started last.
 *
 * @param late ranks that have not begun it
 * @param unfinished ranks that have begun it and not finished
 * @param unseen ranks whose counters cannot be seen from here
 * @param idle whether this rank itself has finished what it has started
 */
record CountedLaunches(List<Integer> late, List<Integer> unfinished, List<Integer> unseen, boolean idle) {
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

    /** Of a device that does not answer. */
    static CountedLaunches none(int size) {
        return new CountedLaunches(
                List.of(), List.of(), IntStream.range(0, size).boxed().toList(), false);
    }
}
