package org.mscclj.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/** Measures the processor time of the thread, since other processes use the processor of a shared machine. */
final class ProcessorTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long WARM_UP_NANOS = 300_000_000;
    private static final long TURN_NANOS = 3_000_000;

    private ProcessorTime() {}

    /**
     * The times of two loops, measured in alternating turns of a few milliseconds.
     *
     * @param firstNanos nanoseconds of one call of the first loop, median
     * @param secondNanos nanoseconds of one call of the second loop, median
     * @param ratio speed of the first loop relative to the second: the median of the ratios of adjacent turns
     */
    record Pair(double firstNanos, double secondNanos, double ratio) {}

    /** Compares two loops, which should be compiled or about to be. */
    static Pair compare(Runnable first, Runnable second, int rounds) {
        turn(first, WARM_UP_NANOS);
        turn(second, WARM_UP_NANOS / 4);
        double[] firstNanos = new double[rounds];
        double[] secondNanos = new double[rounds];
        double[] ratios = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            firstNanos[i] = turn(first, TURN_NANOS);
            secondNanos[i] = turn(second, TURN_NANOS);
            ratios[i] = secondNanos[i] / firstNanos[i];
        }
        return new Pair(median(firstNanos), median(secondNanos), median(ratios));
    }

    /** Runs a loop for a while; returns nanoseconds of processor time for each call. */
    private static double turn(Runnable loop, long nanos) {
        long calls = 0;
        long end = System.nanoTime() + nanos;
        long start = THREADS.getCurrentThreadCpuTime();
        do {
            for (int i = 0; i < 4; i++) {
                loop.run();
            }
            calls += 4;
        } while (System.nanoTime() - end < 0);
        return (double) (THREADS.getCurrentThreadCpuTime() - start) / calls;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
