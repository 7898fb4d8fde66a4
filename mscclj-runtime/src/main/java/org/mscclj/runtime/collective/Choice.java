package org.mscclj.runtime.collective;

import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.PlanDigests;

/**
 * An algorithm for a call, and the plan that it is.
 *
 * @param shipped whether it is one of the programs that ship with mscclj, not a registered plan
 */
record Choice(String algorithm, Plan plan, boolean shipped) {
    /**
     * Everything that decides how the call runs, for comparison with other ranks. Equal plans are not enough: shipped
     * programs have less scratch, and so other rounds, than registered plans.
     */
    String words() {
        return (shipped ? "shipped program " + algorithm + ", plan " : "registered plan ") + plan.name() + " ("
                + (shipped ? PlanDigests.ofProgram(plan) : PlanDigests.of(plan)) + ")";
    }
}
