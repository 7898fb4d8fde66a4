package org.mscclj.analysis.simulate;

/** Receives the progress of a simulation, about once for each million operations, on the simulating thread. */
@FunctionalInterface
public interface SimulationProgress {
    /** Ignores progress. */
    SimulationProgress NONE = (done, all) -> {};

    /**
     * Reports progress.
     *
     * @param done operations of the launch simulated so far, each iteration of a pipeline counted
     * @param all operations of the launch
     */
    void simulated(long done, long all);
}
