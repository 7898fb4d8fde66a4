package org.mscclj.cli.perf;

import java.util.Arrays;

/**
 * Times of a launch over several batches.
 *
 * @param medianMicros the median
 * @param leastMicros the least
 * @param slowMicros the time within which nine of ten batches ended
 */
record Times(double medianMicros, double leastMicros, double slowMicros) {
    /** The largest valid ratio of the median to the least time: a larger one measures other load of the machine. */
    static final int MAX_SPREAD = 3;

    private static final double SLOW = 0.9;

    /** Computes the times from the nanoseconds of each batch. */
    static Times of(double[] batchNanos, int launches) {
        double[] sorted = Arrays.stream(batchNanos)
                .map(nanos -> nanos / launches / 1e3)
                .sorted()
                .toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Times(median, sorted[0], sorted[(int) Math.ceil(SLOW * sorted.length) - 1]);
    }

    /** Returns the median over the least time. */
    double spread() {
        return medianMicros / leastMicros;
    }

    /** Returns the time within which nine of ten batches ended, over the median. */
    double slowness() {
        return slowMicros / medianMicros;
    }

    /** Whether other load has made the median useless. */
    boolean isDisturbed() {
        return spread() > MAX_SPREAD;
    }
}
