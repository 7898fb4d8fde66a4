package org.mscclj.runtime.selection;

import java.util.Optional;
import java.util.function.Predicate;
import org.mscclj.runtime.fallback.InstalledFallbacks;

/** What an application has registered with a communicator. A name means one algorithm. */
public record RegisteredAlgorithms(PlanRegistryImpl plans, NativeRegistry natives) {
    /** Creates empty registries. */
    public RegisteredAlgorithms() {
        this(new PlanRegistryImpl());
    }

    /** Creates a registry of these plans, without native algorithms. */
    public RegisteredAlgorithms(PlanRegistryImpl plans) {
        this(plans, InstalledFallbacks::has);
    }

    /**
     * Creates a registry of these plans, without native algorithms.
     *
     * @param isFallback returns whether a fallback has a name
     */
    RegisteredAlgorithms(PlanRegistryImpl plans, Predicate<String> isFallback) {
        this(plans, new NativeRegistry());
        plans.reserve(name -> natives.has(name) ? Optional.of("a native algorithm") : ofFallback(name, isFallback));
        natives.reserve(
                name -> plans.get(name).isPresent() ? Optional.of("a registered plan") : ofFallback(name, isFallback));
    }

    private static Optional<String> ofFallback(String name, Predicate<String> isFallback) {
        return isFallback.test(name) ? Optional.of("a fallback") : Optional.empty();
    }

    /** Returns whether something registered may serve a call, instead of a shipped program. */
    boolean mayServe(CallDescriptor call) {
        return !plans.isEmpty()
                || natives.mayServeAnyCall()
                || call.algorithm().flatMap(natives::find).isPresent();
    }

    /**
     * Returns the number of changes of both registries, and of selectors. After a change, a selection may return
     * another algorithm than before.
     */
    public long changes() {
        return plans.changes() + natives.changes(); // both only grow
    }
}
