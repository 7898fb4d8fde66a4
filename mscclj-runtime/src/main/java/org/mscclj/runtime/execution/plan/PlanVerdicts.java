package org.mscclj.runtime.execution.plan;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.plan.Plan;

/**
 * Verdicts of the verifier on plans, by the plans' content. Each plan is verified once. Safe for use by several
 * threads.
 */
public final class PlanVerdicts {
    /** Verdicts of this process, which all its communicators share. */
    public static final PlanVerdicts OF_PROCESS = new PlanVerdicts(Verifier::verify);

    private final Function<Plan, Verdict> verifier;
    private final Map<String, Verdict> byDigest = new ConcurrentHashMap<>();
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    PlanVerdicts(Function<Plan, Verdict> verifier) {
        this.verifier = verifier;
    }

    /**
     * Returns the verdict on a plan.
     *
     * @param digest of its content
     */
    Verdict on(Plan plan, String digest) {
        return byDigest.computeIfAbsent(digest, _ -> verifier.apply(plan));
    }

    /** Returns whether no warning about a plan has been logged yet. From now on the plan counts as reported. */
    boolean mustTell(String digest) {
        return told.add(digest);
    }
}
