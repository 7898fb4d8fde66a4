package org.mscclj.cli.check;

import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.plan.verify.Verdict;
import org.mscclj.plan.verify.Verifier;

/**
 * Whether a plan promises equal bits on all ranks, as {@code mscclj plan verify} says. The plan is verified when that
 * is asked for the first time. Safe for use by several threads.
 */
final class PlanBits {
    private final Plan plan;
    private Optional<Boolean> mayDiffer = Optional.empty();

    PlanBits(Plan plan) {
        this.plan = plan;
    }

    /**
     * Whether ranks may get different bits. A plan that is refuted promises nothing, but its differences come from what
     * refutes it, and are told.
     */
    synchronized boolean mayDiffer() {
        boolean known = mayDiffer.orElseGet(() -> {
            Verdict verdict = Verifier.verify(plan);
            return !verdict.isRefuted() && !verdict.equalBits();
        });
        mayDiffer = Optional.of(known);
        return known;
    }
}
