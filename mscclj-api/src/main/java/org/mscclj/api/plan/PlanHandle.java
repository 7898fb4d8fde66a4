package org.mscclj.api.plan;

import java.util.Optional;
import java.util.Set;

/**
 * A registered plan.
 *
 * @param id the plan's name, unique in its registry
 * @param plan the plan
 * @param ranksPerNode the ranks a node that it is made for; empty for any
 * @param tags free labels for selectors
 */
public record PlanHandle(String id, ExecutionPlan plan, Optional<Integer> ranksPerNode, Set<String> tags) {
    /** Copies the tags. */
    public PlanHandle {
        tags = Set.copyOf(tags);
    }
}
