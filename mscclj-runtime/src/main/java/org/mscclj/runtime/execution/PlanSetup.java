package org.mscclj.runtime.execution;

import java.util.Optional;
import org.mscclj.plan.Plan;

/**
 * A plan that the ranks have set up together for slices of one size. Each rank chooses its own buffers, since peers
 * access only scratch, and addends that were shared.
 */
public final class PlanSetup {
    private final Plan plan;
    private final PlanContext context;
    private final Optional<SharedAddends> addends;

    PlanSetup(Plan plan, PlanContext context, Optional<SharedAddends> addends) {
        this.plan = plan;
        this.context = context;
        this.addends = addends;
    }

    /** Returns the plan that was set up. */
    public Plan plan() {
        return plan;
    }

    /** Returns the context in which the plan runs. */
    public PlanContext context() {
        return context;
    }

    Optional<SharedAddends> addends() {
        return addends;
    }

    /** Ends this setup: no caller may bind it to buffers any more. Operations that were bound stay as they are. */
    public void retire() {
        addends.ifPresent(SharedAddends::release);
    }
}
