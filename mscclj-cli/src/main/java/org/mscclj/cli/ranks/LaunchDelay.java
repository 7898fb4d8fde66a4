package org.mscclj.cli.ranks;

/** Called by each rank's thread before each launch, so that tests can make ranks drift. */
@FunctionalInterface
public interface LaunchDelay {
    /** Ranks launch as soon as they can. */
    LaunchDelay NONE = rank -> {};

    /** This rank is about to launch. */
    void beforeLaunch(int rank);
}
