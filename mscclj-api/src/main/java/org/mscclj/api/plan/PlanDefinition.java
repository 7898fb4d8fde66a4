package org.mscclj.api.plan;

import java.util.Map;
import java.util.Optional;

/** The source of a plan, with the properties that selection uses and that a plan file does not hold. Immutable. */
public interface PlanDefinition {
    /**
     * Compiles the plan; every call returns an equal plan.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the plan cannot run; the message states the place and
     *     the reason
     */
    ExecutionPlan compile();

    /** The number of ranks per node for which the plan is made; empty for any. */
    Optional<Integer> ranksPerNode();

    /** Free labels for selectors, each with a number. */
    Map<String, Integer> tags();
}
