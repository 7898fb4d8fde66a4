package org.mscclj.runtime.execution.binding;

import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.context.KindContext;
import org.mscclj.runtime.execution.context.PlanContext;

/**
 * A plan that the ranks have set up together for calls of any size up to a capacity. Each rank binds it alone, to
 * buffers of its own choice that no peer accesses, or to parts of buffers that the ranks have shared.
 */
public final class PlanSetup implements CallSetup {
    private final Plan plan;
    private final PlanContext context;
    private final long capacity;
    private final Optional<SharedBuffers> shared;

    public PlanSetup(Plan plan, PlanContext context, long capacity, Optional<SharedBuffers> shared) {
        this.plan = plan;
        this.context = context;
        this.capacity = capacity;
        this.shared = shared;
    }

    /** Returns the plan that was set up. */
    public Plan plan() {
        return plan;
    }

    /** Returns the context in which the plan runs. */
    public PlanContext context() {
        return context;
    }

    @Override
    public Optional<KindContext> kindContext() {
        return Optional.of(context);
    }

    @Override
    public long capacity() {
        return capacity;
    }

    public Optional<SharedBuffers> shared() {
        return shared;
    }

    @Override
    public void retire() {
        shared.ifPresent(SharedBuffers::retire);
    }
}
