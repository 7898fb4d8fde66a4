package org.mscclj.runtime.selection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.plan.PlanRegistry;

/** Registry of plans by name, in order of registration. */
public final class PlanRegistryImpl implements PlanRegistry {
    /** Why a plan that could serve a call does not. */
    static final String NOT_CHOSEN = "no selector chooses it";

    private final Map<String, PlanHandle> plans = new LinkedHashMap<>();
    private final ReservedNames reserved = new ReservedNames("plan");
    private Selector selector = (candidates, call) -> Optional.empty();
    private Selector defaultSelector = (candidates, call) -> Optional.of(candidates.getFirst());
    private long changes;

    /** Creates an empty registry. */
    public PlanRegistryImpl() {}

    @Override
    public PlanHandle register(ExecutionPlan plan, Optional<Integer> ranksPerNode, Map<String, Integer> tags) {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(ranksPerNode, "ranksPerNode");
        Objects.requireNonNull(tags, "tags");
        reserved.require(plan.name());
        PlanHandle handle = new PlanHandle(plan.name(), plan, ranksPerNode, tags);
        add(handle);
        return handle;
    }

    private synchronized void add(PlanHandle handle) {
        if (plans.putIfAbsent(handle.id(), handle) != null) {
            throw InvalidArgumentException.of(
                    "plan name",
                    PlainText.quote(handle.id()),
                    "a name that is not registered yet: " + brief(plans.keySet()) + " are");
        }
        changes++;
    }

    /** Refuses names from now on: the function returns what has a name, if something has. */
    void reserve(Function<String, Optional<String>> owner) {
        reserved.reserve(owner);
    }

    private static String brief(Set<String> names) {
        return names.stream().map(PlainText::brief).toList().toString();
    }

    @Override
    public synchronized void unregister(String id) {
        Objects.requireNonNull(id, "id");
        if (plans.remove(id) == null) {
            throw InvalidArgumentException.of(
                    "plan name", PlainText.quote(id), "a registered plan: " + brief(plans.keySet()));
        }
        changes++;
    }

    @Override
    public synchronized void clear() {
        if (!plans.isEmpty()) {
            plans.clear();
            changes++;
        }
    }

    @Override
    public synchronized List<PlanHandle> plans() {
        return List.copyOf(plans.values());
    }

    @Override
    public synchronized Optional<PlanHandle> get(String id) {
        Objects.requireNonNull(id, "id");
        return Optional.ofNullable(plans.get(id));
    }

    @Override
    public synchronized void setSelector(Selector newSelector) {
        selector = Objects.requireNonNull(newSelector, "selector");
        changes++;
    }

    @Override
    public synchronized void setDefaultSelector(Selector newSelector) {
        defaultSelector = Objects.requireNonNull(newSelector, "selector");
        changes++;
    }

    /** Returns whether no plan is registered. */
    public synchronized boolean isEmpty() {
        return plans.isEmpty();
    }

    /**
     * Returns the number of changes of plans and selectors. After a change, a selection may return another plan than
     * before.
     */
    public synchronized long changes() {
        return changes;
    }

    /** Returns the reason why a registered plan cannot serve a request; empty if it can. */
    public Optional<String> refusal(PlanHandle handle, CallShape call) {
        return PlanMatch.refusal(handle, call);
    }

    @Override
    public PlanHandle select(CallShape call) {
        Objects.requireNonNull(call, "call");
        List<String> refusals = new ArrayList<>();
        List<PlanHandle> candidates = candidates(call, handle -> Optional.empty(), refusals);
        if (candidates.isEmpty()) {
            throw new UnsupportedException("no registered plan serves " + PlanMatch.describe(call)
                    + (refusals.isEmpty() ? "; none is registered" : "; " + String.join("; ", refusals)));
        }
        return chosen(candidates, call)
                .orElseThrow(() -> new UnsupportedException(
                        "no selector chose a plan for " + PlanMatch.describe(call) + " among " + ids(candidates)));
    }

    /**
     * Returns the plan for a call, if there is one and a selector chooses it.
     *
     * @param further returns the reason why a plan that matches is refused nevertheless; empty if it is not
     * @param refusals receives the reason why each other plan was refused
     */
    public Optional<PlanHandle> find(
            CallShape call, Function<PlanHandle, Optional<String>> further, List<String> refusals) {
        List<PlanHandle> candidates = candidates(call, further, refusals);
        Optional<PlanHandle> chosen = candidates.isEmpty() ? Optional.empty() : chosen(candidates, call);
        if (chosen.isEmpty()) {
            candidates.forEach(handle -> refusals.add(handle.id() + ": " + NOT_CHOSEN));
        }
        return chosen;
    }

    private List<PlanHandle> candidates(
            CallShape call, Function<PlanHandle, Optional<String>> further, List<String> refusals) {
        List<PlanHandle> candidates = new ArrayList<>();
        for (PlanHandle handle : plans()) {
            PlanMatch.refusal(handle, call)
                    .or(() -> further.apply(handle))
                    .ifPresentOrElse(reason -> refusals.add(handle.id() + ": " + reason), () -> candidates.add(handle));
        }
        return List.copyOf(candidates);
    }

    private Optional<PlanHandle> chosen(List<PlanHandle> candidates, CallShape call) {
        Selector first;
        Selector second;
        synchronized (this) {
            first = selector;
            second = defaultSelector;
        }
        Optional<PlanHandle> handle = first.select(candidates, call).or(() -> second.select(candidates, call));
        if (handle.isPresent() && !candidates.contains(handle.get())) {
            throw InvalidArgumentException.of(
                    "the selector's choice", handle.get().id(), "one of " + ids(candidates));
        }
        return handle;
    }

    private static List<String> ids(List<PlanHandle> handles) {
        return handles.stream().map(PlanHandle::id).toList();
    }
}
