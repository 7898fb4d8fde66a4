package org.mscclj.cli.launch;

import org.mscclj.cli.launch.LaunchSettings.OnFailure;

/**
 * Computes the exit code of a launch from those of its ranks. If the first failure stops the other ranks, it is the
 * exit code of the first failed rank. If they continue, the survivors decide: the first rank that fails, and each rank
 * that a signal ends, counts as lost.
 */
final class GroupExitCode {
    private final OnFailure onFailure;
    private int survivors;
    private int first;
    private int firstOfSurvivors;

    GroupExitCode(OnFailure onFailure, int ranks) {
        this.onFailure = onFailure;
        this.survivors = ranks;
    }

    /** Adds a rank that has ended; returns whether it is the first that has failed. */
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

    /** Returns the exit code after all ranks have ended. */
    int code() {
        return onFailure == OnFailure.STOP || survivors == 0 ? first : firstOfSurvivors;
    }
}
