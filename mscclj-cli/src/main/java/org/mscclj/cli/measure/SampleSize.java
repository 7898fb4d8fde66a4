package org.mscclj.cli.measure;

/**
 * The number of runs of a batch in a sample.
 *
 * @param leadIn runs before the timed ones. They bring the ranks of a device together, so that a rank that starts
 *     earlier does not wait for the others in its timed runs
 * @param repeats timed runs, which follow the lead-in and one another without a pause
 */
public record SampleSize(int leadIn, int repeats) {
    /** One timed run without a lead-in. */
    public static final SampleSize ONE = new SampleSize(0, 1);

    /** Returns the number of runs, timed or not. */
    int runs() {
        return leadIn + repeats;
    }
}
