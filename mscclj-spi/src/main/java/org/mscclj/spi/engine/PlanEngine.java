package org.mscclj.spi.engine;

/** Runs plans on a device. */
public interface PlanEngine {
    /**
     * Creates a plan's context on this rank, from memory and connections that the runtime has set up on all ranks.
     *
     * @throws org.mscclj.api.error.UnsupportedException if the engine cannot run the plan; the message names plan,
     *     rank, block and operation
     */
    EngineContext open(ContextSpec spec);
}
