package org.mscclj.runtime.execution;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanWriter;
import org.mscclj.runtime.digest.Sha256;

/**
 * Tells plans apart by their content, so that ranks that loaded different files notice. Shared by the ranks of a process, which mostly
 * prepare the same plans: writing a plan of many ranks takes a while.
 */
public final class PlanDigests {
    private static final Map<Plan, String> DIGESTS = Collections.synchronizedMap(new WeakHashMap<>());

    private PlanDigests() {}

    /** The digest of a plan; equal for equal plans. */
    public static String of(Plan plan) {
        return DIGESTS.computeIfAbsent(plan, PlanDigests::compute); // one rank computes, the others wait
    }

    private static String compute(Plan plan) {
        return Sha256.shortOf(PlanWriter.write(plan));
    }
}
