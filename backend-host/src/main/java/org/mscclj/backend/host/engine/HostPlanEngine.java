package org.mscclj.backend.host.engine;

import org.mscclj.backend.host.schedule.HostScheduler;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.PlanEngine;

/** Runs plans on the threads of a scheduler. */
public final class HostPlanEngine implements PlanEngine {
    private final HostScheduler scheduler;

    /** An engine whose launches the scheduler carries out. */
    public HostPlanEngine(HostScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public EngineContext open(ContextSpec spec) {
        return new HostContext(spec, scheduler);
    }
}
