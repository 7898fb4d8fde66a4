package org.mscclj.cli.ranks;

/** A hook that each rank's thread calls before each launch, so that tests can delay ranks. */
@FunctionalInterface
public interface LaunchDelay {
    /** No delay. */
    LaunchDelay NONE = rank -> {};

    /** Called before a launch. */
    void beforeLaunch(int rank);
}
