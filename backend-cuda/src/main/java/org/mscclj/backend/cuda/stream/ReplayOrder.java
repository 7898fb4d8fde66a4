package org.mscclj.backend.cuda.stream;

/** Something that launches must be ordered with, graphs of them included. Its monitor is held from {@link #beginReplay} until the graph is enqueued. */
public interface ReplayOrder {
    /** Who takes the monitors of several takes that of the least number first. Different for all of a process. */
    long number();

    /**
     * Orders what is enqueued next on a stream after the launch before. Allocates nothing.
     *
     * @param shared whether the graph has a launch that all ranks of the communicator make
     * @throws org.mscclj.api.error.MsccljException if nothing may be launched any more, and why
     */
    void beginReplay(CudaStream stream, boolean shared);
}
