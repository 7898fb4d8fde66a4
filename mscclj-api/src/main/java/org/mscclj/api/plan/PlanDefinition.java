package org.mscclj.api.plan;

import java.util.Map;
import java.util.Optional;

/** What a plan comes from, with what selection asks for and a plan file does not hold. Immutable. */
public interface PlanDefinition {
    /**
     * The plan; equal each time.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it cannot be run; says where and why
     */
    ExecutionPlan compile();

    /** The ranks a node that it is made for; empty for any. */
    Optional<Integer> ranksPerNode();

    /** Free labels for selectors, each with a number. */
    Map<String, Integer> tags();
}
