package org.mscclj.cli.tune;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How much of a measurement is left, by the sizes so far. Used under the lock of the report. */
final class Remaining {
    private final int sizes;
    private int begun;
    private int trials;
    private long start;

    /**
     * Nothing has begun.
     *
     * @param sizes the number of sizes that are measured
     */
    Remaining(int sizes) {
        this.sizes = sizes;
    }

    /** Counts a trial of a candidate. */
    void trial() {
        trials++;
    }

    /**
     * Begins the next size.
     *
     * @param nanoTime the time, as {@link System#nanoTime}
     * @return the number of the size, and how many trials and how much time are left
     */
    String next(long nanoTime) {
        if (begun == 0) {
            start = nanoTime;
        }
        int done = begun++;
        String position = "size " + begun + " of " + sizes;
        if (done == 0) {
            return position;
        }
        int left = sizes - done;
        long seconds = TimeUnit.NANOSECONDS.toSeconds((nanoTime - start) / done * left);
        return String.format(
                Locale.ROOT,
                "%s, about %d trials and %d:%02d minutes left",
                position,
                Math.ceilDiv(trials * left, done),
                seconds / 60,
                seconds % 60);
    }
}
