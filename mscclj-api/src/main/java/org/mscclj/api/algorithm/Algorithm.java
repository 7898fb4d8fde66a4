package org.mscclj.api.algorithm;

import java.util.Optional;
import java.util.Set;
import org.mscclj.api.plan.PlanRequest;
import org.mscclj.api.type.Collective;

/** A way to compute a collective: a registered plan, or native code. Immutable. */
public interface Algorithm {
    /** Name, unique among the algorithms of its collective. */
    String name();

    /** What it computes. */
    Collective collective();

    /** Free labels for selectors. */
    Set<String> tags();

    /** Why this algorithm cannot serve the request; empty if it can. Depends on nothing but its arguments. */
    Optional<String> refusal(PlanRequest request);
}
