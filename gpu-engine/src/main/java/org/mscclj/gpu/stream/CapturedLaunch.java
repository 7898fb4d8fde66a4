package org.mscclj.gpu.stream;

/** A launch that a graph of ours repeats. */
public interface CapturedLaunch {
    /** What it is ordered with. */
    ReplayOrder order();

    /** The graph was enqueued once more. Allocates nothing. */
    void replayed();
}
