package org.mscclj.runtime.execution;

import java.util.Optional;
import org.mscclj.plan.Plan;

/**
 * A plan that the ranks have set up together for slices of one size, and whose buffers are a rank's own affair: peers
 * access scratch, and addends that were shared, alone.
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

    /** What was set up. */
    public Plan plan() {
        return plan;
    }

    /** Where it runs. */
    public PlanContext context() {
        return context;
    }

    Optional<SharedAddends> addends() {
        return addends;
    }

    /** Nobody will bind it to buffers any more. What was bound stays as it is. */
    public void retire() {
        addends.ifPresent(SharedAddends::release);
    }
}
