package org.mscclj.runtime.collective;

import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.PlanDigests;
import org.mscclj.runtime.signature.ChoiceSignature;

/**
 * An algorithm for a call, and the plan that it is.
 *
 * @param shipped whether it is one of the programs that ship with mscclj, not a registered plan
 */
record Choice(String algorithm, Plan plan, boolean shipped) {
    /** What ranks compare. */
    ChoiceSignature signature() {
        return new ChoiceSignature(
                shipped,
                shipped ? algorithm : "",
                plan.name(),
                shipped ? PlanDigests.ofProgram(plan) : PlanDigests.of(plan));
    }
}
