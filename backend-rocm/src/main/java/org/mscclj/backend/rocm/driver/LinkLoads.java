package org.mscclj.backend.rocm.driver;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * An estimate of how long links are busy with an allreduce, by their widths. A pair of GPUs without a link goes over a
 * path with the fewest hops, which loads each of its links.
 */
final class LinkLoads {
    private final int[][] megabytes;

    /**
     * Creates an estimate.
     *
     * @param megabytes the width of the link from each GPU to each other one; 0 if there is none
     */
    LinkLoads(int[][] megabytes) {
        this.megabytes = megabytes;
    }

    /** Whether a ring in the order of GPUs takes less time than transfers between all pairs; false if it is unknown. */
    boolean ringIsFaster() {
        int gpus = megabytes.length;
        double ring = busiest(2.0 * (gpus - 1) / gpus, true);
        return ring > 0 && ring < busiest(2.0 / gpus, false);
    }

    /**
     * The time of the busiest link; 0 if a pair has no path.
     *
     * @param part the part of the message that a GPU sends to each other one with which it exchanges data
     * @param neighbours whether it sends to the next one only
     */
    private double busiest(double part, boolean neighbours) {
        int gpus = megabytes.length;
        double[][] loads = new double[gpus][gpus];
        for (int from = 0; from < gpus; from++) {
            int[] before = pathsFrom(from);
            for (int to = 0; to < gpus; to++) {
                if (to != from && (!neighbours || to == (from + 1) % gpus)) {
                    if (before[to] < 0) {
                        return 0;
                    }
                    for (int at = to; at != from; at = before[at]) {
                        loads[before[at]][at] += part / megabytes[before[at]][at];
                    }
                }
            }
        }
        return Arrays.stream(loads).flatMapToDouble(Arrays::stream).max().orElse(0);
    }

    /** For each GPU the one before it on a path with the fewest hops, and then the widest last link; −1 without one. */
    private int[] pathsFrom(int from) {
        int gpus = megabytes.length;
        int[] before = new int[gpus];
        int[] hops = new int[gpus];
        Arrays.fill(before, -1);
        before[from] = from;
        Deque<Integer> reached = new ArrayDeque<>();
        reached.add(from);
        while (!reached.isEmpty()) {
            int at = reached.remove();
            for (int to = 0; to < gpus; to++) {
                boolean isNew = before[to] < 0;
                if (megabytes[at][to] > 0
                        && (isNew || (hops[to] == hops[at] + 1 && megabytes[at][to] > megabytes[before[to]][to]))) {
                    before[to] = at;
                    hops[to] = hops[at] + 1;
                    if (isNew) {
                        reached.add(to);
                    }
                }
            }
        }
        return before;
    }
}
