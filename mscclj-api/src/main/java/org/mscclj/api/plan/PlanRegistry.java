package org.mscclj.api.plan;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.algorithm.CallShape;

/**
 * The plans that a communicator may choose from. All ranks must register the same plans with the same tags, and use
 * selectors that make equal decisions: a selector sees only values that are equal on all ranks. Safe for use by several
 * threads.
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
         * @param call the properties of the call
         */
        Optional<PlanHandle> select(List<PlanHandle> candidates, CallShape call);
    }

    /**
     * Registers a plan.
     *
     * @param plan the plan
     * @param ranksPerNode the number of ranks per node for which the plan is made; empty for any
     * @param tags free labels for selectors, each with a number
     * @throws org.mscclj.api.error.InvalidArgumentException if a plan of that name is registered already, or the name
     *     is that of a built-in algorithm, such as {@code ring}, of a native algorithm or of a fallback
     */
    PlanHandle register(ExecutionPlan plan, Optional<Integer> ranksPerNode, Map<String, Integer> tags);

    /** Registers a plan for any number of ranks per node, without tags. */
    default PlanHandle register(ExecutionPlan plan) {
        return register(plan, Optional.empty(), Map.of());
    }

    /**
     * Registers a plan with the number of ranks per node and the tags of its definition.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it cannot be compiled, or as
     *     {@link #register(ExecutionPlan, Optional, Map)} does
     */
    default PlanHandle register(PlanDefinition definition) {
        Objects.requireNonNull(definition, "definition");
        return register(definition.compile(), definition.ranksPerNode(), definition.tags());
    }

    /**
     * Removes a plan. Operations that were prepared with it continue, as do launches in flight; later calls choose
     * among the remaining plans. All ranks must remove equal plans between equal calls.
     *
     * @param id the plan's name
     * @throws org.mscclj.api.error.InvalidArgumentException if no plan of that name is registered
     */
    void unregister(String id);

    /** Removes every plan, as {@link #unregister} does. Selectors stay. */
    void clear();

    /** The registered plans, in order of registration. */
    List<PlanHandle> plans();

    /** The plan of the given name. */
    Optional<PlanHandle> get(String id);

    /** Sets the selector that is called first. */
    void setSelector(Selector selector);

    /**
     * Sets the selector that is called if the first selector returns no plan; initially it chooses the first registered
     * candidate. If it returns no plan either, what comes behind plans serves the call: native algorithms, shipped
     * programs, then a fallback.
     */
    void setDefaultSelector(Selector selector);

    /**
     * The plan for a request.
     *
     * @throws org.mscclj.api.error.UnsupportedException if no plan matches; the message gives the reason for each
     *     refusal
     */
    PlanHandle select(CallShape call);
}
