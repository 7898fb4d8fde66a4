package org.mscclj.runtime.execution.plan;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.digest.Sha256;
import org.mscclj.plan.json.PlanWriter;

/**
 * Digests of plans by their content, by which ranks notice that they have loaded different files. Shared by the ranks
 * of a process, which mostly prepare equal plans: serializing a plan of many ranks takes long.
 */
public final class PlanDigests {
    private static final Map<Plan, String> DIGESTS = new WeakHashMap<>();

    /**
     * The digest that was requested last. Ranks that share a plan request its digest one after the other, and hashing a
     * plan of many ranks takes long, too.
     */
    private static Digest last = new Digest(new WeakReference<>(null), "");

    private record Digest(WeakReference<Plan> plan, String text) {}

    private PlanDigests() {}

    /**
     * Returns the digest of a plan of {@link SharedPlans#of(ShippedProgram, ProgramSpec)}; equal for equal programs and
     * specifications. Ranks of one group run one version of mscclj, so their plans are equal then.
     */
    public static String ofProgram(Plan plan) {
        return SharedPlans.programDigest(plan);
    }

    /** Returns the digest of a plan by its content; equal for equal plans. */
    public static synchronized String of(Plan plan) { // one rank computes, the others wait
        if (!last.plan.refersTo(plan)) {
            last = new Digest(new WeakReference<>(plan), DIGESTS.computeIfAbsent(plan, PlanDigests::compute));
        }
        return last.text;
    }

    private static String compute(Plan plan) {
        return Sha256.shortOf(PlanWriter.write(plan));
    }
}
