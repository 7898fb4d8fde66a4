package org.mscclj.api.plan;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The plans that a communicator may choose from. All ranks must register the same plans with the same tags, and use
 * selectors that decide alike: a selector sees only what is equal on all ranks. Safe for use by several threads.
 */
public interface PlanRegistry {
    /**
     * Chooses among the plans that match a request.
     *
     * @see #setSelector
     */
    @FunctionalInterface
    interface Selector {
        /**
         * The chosen plan; empty to leave the choice to the default selector.
         *
         * @param candidates the plans that match, in order of registration, at least one
         * @param request what is asked for
         */
        Optional<PlanHandle> select(List<PlanHandle> candidates, PlanRequest request);
    }

    /**
     * Registers a plan.
     *
     * @param plan the plan
     * @param ranksPerNode the ranks a node that it is made for; empty for any
     * @param tags free labels for selectors, each with a number
     * @throws org.mscclj.api.error.InvalidArgumentException if a plan of that name is registered already, or it is the
     *     name of an algorithm that is always there, such as {@code ring}
     */
    PlanHandle register(ExecutionPlan plan, Optional<Integer> ranksPerNode, Map<String, Integer> tags);

    /** Registers a plan for any number of ranks a node, without tags. */
    default PlanHandle register(ExecutionPlan plan) {
        return register(plan, Optional.empty(), Map.of());
    }

    /**
     * Registers a plan for the ranks a node, and with the tags, that its definition has.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it cannot be compiled, or as
     *     {@link #register(ExecutionPlan, Optional, Map)} does
     */
    default PlanHandle register(PlanDefinition definition) {
        Objects.requireNonNull(definition, "definition");
        return register(definition.compile(), definition.ranksPerNode(), definition.tags());
    }

    /**
     * Removes a plan. Operations that were prepared with it go on, and so do launches in flight; later calls choose
     * among the plans that are left. All ranks must remove the same plans between the same calls.
     *
     * @param id the plan's name
     * @throws org.mscclj.api.error.InvalidArgumentException if no plan of that name is registered
     */
    void unregister(String id);

    /** Removes every plan, as {@link #unregister} does. Selectors stay. */
    void clear();

    /** Every registered plan, in order of registration. */
    List<PlanHandle> plans();

    /** The plan of the given name. */
    Optional<PlanHandle> get(String id);

    /** Sets the selector that is asked first. */
    void setSelector(Selector selector);

    /** Sets the selector that is asked when the first has no answer; initially the first candidate registered. */
    void setDefaultSelector(Selector selector);

    /**
     * The plan for a request.
     *
     * @throws org.mscclj.api.error.UnsupportedException if no plan matches; the message says why each was refused
     */
    PlanHandle select(PlanRequest request);
}
