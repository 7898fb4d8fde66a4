package org.mscclj.cli.perf;

import java.util.Arrays;

/**
 * Times of a launch over several batches.
 *
 * @param medianMicros the median
 * @param leastMicros the least
 * @param slowMicros the time that nine of ten batches kept
 */
record Times(double medianMicros, double leastMicros, double slowMicros) {
    /** Medians that are more times the least say what else the machine did, and not how fast a launch is. */
    static final int MOST_SPREAD = 3;

    private static final double SLOW = 0.9;

    /** From nanoseconds of each batch. */
    static Times of(double[] batchNanos, int launches) {
        double[] sorted = Arrays.stream(batchNanos)
                .map(nanos -> nanos / launches / 1e3)
                .sorted()
                .toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Times(median, sorted[0], sorted[(int) Math.ceil(SLOW * sorted.length) - 1]);
    }

    /** How many times the least the median is. */
    double spread() {
        return medianMicros / leastMicros;
    }

    /** How many times the median nine of ten batches take at most. */
    double slowness() {
        return slowMicros / medianMicros;
    }

    /** Whether the machine was too busy for the median to be a result. */
    boolean isDisturbed() {
        return spread() > MOST_SPREAD;
    }
}
