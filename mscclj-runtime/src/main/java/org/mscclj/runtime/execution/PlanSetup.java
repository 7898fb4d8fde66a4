package org.mscclj.runtime.execution;

import org.mscclj.plan.Plan;

/** A plan that the ranks have set up together for slices of one size, and whose buffers are a rank's own affair: peers access scratch alone. */
public final class PlanSetup {
    private final Plan plan;
    private final PlanContext context;

    PlanSetup(Plan plan, PlanContext context) {
        this.plan = plan;
        this.context = context;
    }

    /** What was set up. */
    public Plan plan() {
        return plan;
    }

    /** Where it runs. */
    public PlanContext context() {
        return context;
    }
}
