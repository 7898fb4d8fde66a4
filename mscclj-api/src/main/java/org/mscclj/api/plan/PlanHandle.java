package org.mscclj.api.plan;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A registered plan.
 *
 * @param id the plan's name, unique in its registry
 * @param plan the plan
 * @param ranksPerNode the number of ranks per node for which the plan is made; empty for any
 * @param tags free labels for selectors, each with a number, in the order of labels
 */
public record PlanHandle(String id, ExecutionPlan plan, Optional<Integer> ranksPerNode, Map<String, Integer> tags) {
    /** Sorts and copies the tags. */
    public PlanHandle {
        tags = Collections.unmodifiableMap(new TreeMap<>(tags));
    }
}
