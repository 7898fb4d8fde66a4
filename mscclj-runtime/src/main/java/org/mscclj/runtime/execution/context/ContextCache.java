package org.mscclj.runtime.execution.context;

import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.plan.PlanDigests;
import org.mscclj.runtime.resource.Resources;

/**
 * Contexts of a communicator's plans on one rank. All ranks have equal sets of contexts. Used by one thread at a time.
 */
public final class ContextCache implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final Function<Plan, String> digestOf;

    /**
     * Digests by identity of the plan. {@link PlanDigests} compares plans, which is slow for large ones, and serves one
     * rank of a process at a time.
     */
    private final IdentityHashMap<Plan, String> digests = new IdentityHashMap<>();

    private final Map<String, List<PlanContext>> contexts = new LinkedHashMap<>();

    private final EndingContexts ending;

    /**
     * Creates a cache without contexts.
     *
     * @param digestOf computes a digest that distinguishes plans, equally on all ranks
     */
    public ContextCache(ExecutionEnvironment environment, Function<Plan, String> digestOf) {
        this.environment = environment;
        this.digestOf = digestOf;
        this.ending = new EndingContexts(environment.control());
    }

    /** Returns the digest of a plan. */
    public String digest(Plan plan) {
        return digests.computeIfAbsent(plan, digestOf);
    }

    /** Returns a context whose slots are large enough for slices of this size; empty if there is none. */
    Optional<PlanContext> find(Plan plan, long sliceBytes) {
        long wanted = ScratchSize.slotBytes(plan, sliceBytes, environment.options());
        return contexts.getOrDefault(digest(plan), List.of()).stream()
                .filter(context -> context.slotBytes() >= wanted)
                .findFirst();
    }

    /** Returns whether no context of a plan can have larger slots. */
    boolean isLargest(Plan plan, PlanContext context) {
        return context.slotBytes() >= ScratchSize.largestSlotBytes(plan, environment.options());
    }

    /** Begins this rank's part in setting up a context whose slots are large enough for slices of this size. */
    ContextSetUp begin(Plan plan, long sliceBytes) {
        return new ContextSetUp(
                plan, ScratchSize.slotBytes(plan, sliceBytes, environment.options()), environment, new ArrayList<>());
    }

    /** Adds a context that all ranks have opened. */
    void add(Plan plan, PlanContext context) {
        contexts.computeIfAbsent(digest(plan), _ -> new ArrayList<>()).add(context);
    }

    /**
     * Closes contexts that were opened for kinds of calls and that no kind uses any more. A context of which some rank
     * has an operation open stays, and the next call of this method asks for it again. Collective if there are unused
     * contexts.
     *
     * @param used contexts that kinds use; equal on all ranks
     */
    public void closeUnused(Set<? extends KindContext> used) {
        List<PlanContext> unused = all().stream()
                .filter(context -> context.isForKinds() && !used.contains(context))
                .toList();
        ending.end(unused, ended -> {
            contexts.values().forEach(ofPlan -> ofPlan.removeAll(ended));
            contexts.values().removeIf(List::isEmpty);
            digests.values().retainAll(contexts.keySet());
        });
    }

    /** Returns all contexts that calls can use. */
    public List<PlanContext> all() {
        return contexts.values().stream().flatMap(Collection::stream).toList();
    }

    /** Closes all contexts. Every rank's launches must have ended. */
    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(all());
        all.addFirst(ending); // closed last
        contexts.clear();
        Resources.close(all);
    }
}
