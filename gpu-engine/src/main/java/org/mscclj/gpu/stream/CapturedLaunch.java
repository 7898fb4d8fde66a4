package org.mscclj.gpu.stream;

/** A launch in a graph that this library makes. */
public interface CapturedLaunch {
    /** The order that the launch belongs to. */
    ReplayOrder order();

    /** Called after each replay of the graph has been enqueued. Allocates nothing. */
    void replayed();
}
