package org.mscclj.runtime.collective;

import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.plan.PlanDigests;
import org.mscclj.runtime.signature.ChoiceSignature;

/**
 * An algorithm for a call, and its plan.
 *
 * @param shipped whether the algorithm is one of the programs that ship with mscclj, and not a registered plan
 * @param blocks the number of blocks for which a shipped program was specified; 0 for a registered plan
 */
record Choice(String algorithm, Plan plan, boolean shipped, int blocks) {
    /**
     * Returns whether another choice, of a call of the same class, is the same algorithm. The class decides on all else
     * for which a shipped program is specified.
     */
    boolean isSame(Choice other) {
        return shipped == other.shipped && blocks == other.blocks && algorithm.equals(other.algorithm);
    }

    /** Returns the signature that ranks compare. */
    ChoiceSignature signature() {
        return new ChoiceSignature(
                shipped,
                shipped ? algorithm : "",
                plan.name(),
                shipped ? PlanDigests.ofProgram(plan) : PlanDigests.of(plan));
    }
}
