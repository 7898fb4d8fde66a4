package org.mscclj.runtime.control;

/** Reports what a rank has launched. Called by threads of other ranks, or by threads that read from other ranks. */
@FunctionalInterface
public interface LaunchReporter {
    /**
     * Reports. Neither calls a driver nor waits for a thread that may call one.
     *
     * @param sequence the number of the launch in question; 0 to ask only for the number of launches
     */
    LaunchReport report(long sequence);
}
