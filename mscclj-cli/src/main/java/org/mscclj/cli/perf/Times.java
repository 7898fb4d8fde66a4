package org.mscclj.cli.perf;

import java.util.Arrays;

/**
 * Times of a launch over several batches.
 *
 * @param medianMicros the median
 * @param leastMicros the least
 */
record Times(double medianMicros, double leastMicros) {
    /** From nanoseconds of each batch. */
    static Times of(double[] batchNanos, int launches) {
        double[] sorted = Arrays.stream(batchNanos)
                .map(nanos -> nanos / launches / 1e3)
                .sorted()
                .toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Times(median, sorted[0]);
    }
}
