package org.mscclj.cli.run;

/** Called by each rank's thread before each launch, so that tests can make ranks drift. */
@FunctionalInterface
interface LaunchDelay {
    /** Ranks launch as soon as they can. */
    LaunchDelay NONE = rank -> {};

    void beforeLaunch(int rank);
}
