package org.mscclj.runtime.collective;

import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.PlanDigests;
import org.mscclj.runtime.signature.ChoiceSignature;

/**
 * An algorithm for a call, and its plan.
 *
 * @param shipped whether the algorithm is one of the programs that ship with mscclj, and not a registered plan
 */
record Choice(String algorithm, Plan plan, boolean shipped) {
    /** Returns the signature that ranks compare. */
    ChoiceSignature signature() {
        return new ChoiceSignature(
                shipped,
                shipped ? algorithm : "",
                plan.name(),
                shipped ? PlanDigests.ofProgram(plan) : PlanDigests.of(plan));
    }
}
