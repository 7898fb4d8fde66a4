package org.mscclj.cli.perf;

/** Nanoseconds of batches, ours and the peer's; of the peer none where it cannot do the call, and only on rank 0. */
final class Rounds {
    private final double[] ours;
    private final double[] theirs;

    Rounds(double[] ours, double[] theirs) {
        this.ours = ours;
        this.theirs = theirs;
    }

    double[] ours() {
        return ours;
    }

    double[] theirs() {
        return theirs;
    }
}
