package org.mscclj.backend.cuda.stream;

/** A launch that a graph of ours repeats. */
public interface CapturedLaunch {
    /** What it is ordered with. */
    ReplayOrder order();

    /** Whether all ranks of its communicator make it: they do not make messages. */
    boolean isShared();

    /** The graph was enqueued once more. Allocates nothing. */
    void replayed();
}
