package org.mscclj.cli.measure;

import java.util.List;

/**
 * Times of a launch over several samples.
 *
 * @param medianMicros the median
 * @param leastMicros the least
 * @param lowerMicros the time within which a quarter of the samples ended
 * @param upperMicros the time within which three quarters of the samples ended
 * @param slowMicros the time within which nine of ten samples ended
 */
public record Times(
        double medianMicros, double leastMicros, double lowerMicros, double upperMicros, double slowMicros) {
    /** The largest valid ratio of the median to the least time: a larger one measures other load of the machine. */
    public static final int MAX_SPREAD = 3;

    private static final double LOWER = 0.25;
    private static final double UPPER = 0.75;
    private static final double SLOW = 0.9;

    /** Computes the times from the nanoseconds of each sample. */
    public static Times of(List<Double> sampleNanos, int launches) {
        double[] sorted = sampleNanos.stream()
                .mapToDouble(nanos -> nanos / launches / 1e3)
                .sorted()
                .toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Times(median, sorted[0], within(sorted, LOWER), within(sorted, UPPER), within(sorted, SLOW));
    }

    private static double within(double[] sorted, double part) {
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }

    /** Returns the median over the least time. */
    public double spread() {
        return medianMicros / leastMicros;
    }

    /** Returns the span of the middle half of the samples, in per cent of the median. */
    public double quartilePercent() {
        return 100 * (upperMicros - lowerMicros) / medianMicros;
    }

    /** Returns the time within which nine of ten samples ended, over the median. */
    public double slowness() {
        return slowMicros / medianMicros;
    }

    /** Whether other load has made the median useless. */
    public boolean isDisturbed() {
        return spread() > MAX_SPREAD;
    }
}
