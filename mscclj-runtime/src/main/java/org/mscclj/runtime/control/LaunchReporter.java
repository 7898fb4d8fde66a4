package org.mscclj.runtime.control;

/** Says what a rank has launched. Called by threads of other ranks, or that read from them. */
@FunctionalInterface
public interface LaunchReporter {
    /**
     * Reports; neither calls a driver nor waits for anybody who may.
     *
     * @param sequence the launch that somebody asks about; 0 if only for the number of launches
     */
    LaunchReport report(long sequence);
}
