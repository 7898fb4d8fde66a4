package org.mscclj.cli.check;

import java.util.Optional;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.plan.Plan;

/**
 * Determines whether a plan gives equal bits on all ranks, by the verifier of {@code mscclj plan verify}. The plan is
 * verified at the first use. Safe for use by several threads.
 */
final class PlanBits {
    private final Plan plan;
    private Optional<Boolean> mayDiffer = Optional.empty();

    PlanBits(Plan plan) {
        this.plan = plan;
    }

    /**
     * Whether ranks may get different bits. For a plan that the verifier refutes this is false, so that differences,
     * which its fault causes, are reported.
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
