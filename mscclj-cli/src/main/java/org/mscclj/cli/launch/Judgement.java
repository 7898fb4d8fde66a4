package org.mscclj.cli.launch;

import org.mscclj.cli.launch.LaunchSettings.OnFailure;

/**
 * The exit code of a launch, from those of its ranks. Where the others are stopped when one fails, it is that of the
 * first that failed. Where they go on, those that are left decide: the first that fails, and each that a signal ends,
 * is lost.
 */
final class Judgement {
    private final OnFailure onFailure;
    private int survivors;
    private int first;
    private int firstOfSurvivors;

    Judgement(OnFailure onFailure, int ranks) {
        this.onFailure = onFailure;
        this.survivors = ranks;
    }

    /** Adds a rank that has ended; tells whether it is the first that failed. */
    boolean add(ExitCode end) {
        if (end.value() == 0) {
            return false;
        }
        boolean isFirst = first == 0;
        if (isFirst) {
            first = end.value();
        }
        if (isFirst || end.isSignal()) {
            survivors--;
        } else if (firstOfSurvivors == 0) {
            firstOfSurvivors = end.value();
        }
        return isFirst;
    }

    /** The exit code, once all have ended. */
    int code() {
        return onFailure == OnFailure.STOP || survivors == 0 ? first : firstOfSurvivors;
    }
}
