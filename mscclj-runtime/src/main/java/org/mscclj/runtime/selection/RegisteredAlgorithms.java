package org.mscclj.runtime.selection;

/** What an application has registered with a communicator. */
public record RegisteredAlgorithms(PlanRegistryImpl plans, NativeRegistry natives) {
    /** Creates empty registries. */
    public RegisteredAlgorithms() {
        this(new PlanRegistryImpl(), new NativeRegistry());
    }

    /** Creates a registry of these plans, without native algorithms. */
    public RegisteredAlgorithms(PlanRegistryImpl plans) {
        this(plans, new NativeRegistry());
    }

    /** Returns whether nothing is registered. */
    public boolean isEmpty() {
        return plans.isEmpty() && natives.isEmpty();
    }

    /**
     * Returns the number of changes of both registries, and of selectors. After a change, a selection may return
     * another algorithm than before.
     */
    public long changes() {
        return plans.changes() + natives.changes(); // both only grow
    }
}
