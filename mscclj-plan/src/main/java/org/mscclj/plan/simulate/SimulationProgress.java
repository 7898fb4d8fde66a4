package org.mscclj.plan.simulate;

/** Hears how far a simulation is. It is called about once for each million operations, by the thread that simulates. */
@FunctionalInterface
public interface SimulationProgress {
    /** Says nothing. */
    SimulationProgress NONE = (done, all) -> {};

    /**
     * Some operations have been simulated.
     *
     * @param done operations of the launch so far, each iteration of a pipeline counted
     * @param all operations of the launch
     */
    void simulated(long done, long all);
}
