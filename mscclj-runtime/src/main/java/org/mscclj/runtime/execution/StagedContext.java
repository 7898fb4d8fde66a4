package org.mscclj.runtime.execution;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Differences;

/**
 * The context of a call that ranks set up: one that there is, or a new one, whose steps travel with those of the call.
 */
final class StagedContext {
    private final ContextCache contexts;
    private final Plan plan;
    private final Optional<PlanContext> known;
    private final @Nullable ContextSetUp setUp;
    private boolean kept;

    /**
     * A part in setting a context up.
     *
     * @param sliceBytes bytes of the slices that the plan works on
     */
    StagedContext(ContextCache contexts, Plan plan, long sliceBytes) {
        this.contexts = contexts;
        this.plan = plan;
        this.known = contexts.find(plan, sliceBytes);
        this.setUp = known.isPresent() ? null : contexts.begin(plan, sliceBytes);
    }

    /** What this rank describes of a new context; nothing if there is one. */
    byte[] describe() {
        return setUp == null ? new byte[0] : setUp.describe().encode();
    }

    /**
     * Connects a new context. Collective, unless all ranks have one.
     *
     * @param described what each rank has described
     * @throws InvalidArgumentException on every rank alike, if ranks lay scratch out differently
     */
    void connect(List<byte[]> described) {
        Differences.among(
                        described.stream().map(bytes -> bytes.length == 0).toList(),
                        has -> has ? "have a context whose slots are large enough" : "open a new one")
                .ifPresent(different -> {
                    throw new InvalidArgumentException("ranks lay out the scratch of plan " + plan.name()
                            + " differently: " + different + "; " + ExecutorOptions.SCRATCH_LIMIT_VARIABLE
                            + ", the plan and its size must be equal on all ranks");
                });
        if (setUp != null) {
            setUp.connect(ContextDescription.ofRanks(plan.name(), described.toArray(byte[][]::new)));
        }
    }

    /** The context, ready for this rank. */
    PlanContext open() {
        return setUp == null ? known.orElseThrow() : setUp.open(_ -> {});
    }

    /** Keeps the context, which all ranks have opened. */
    void keep(PlanContext opened) {
        if (setUp != null) {
            contexts.add(plan, opened);
            kept = true;
        }
    }

    /** Frees a new context, unless all ranks have opened it. */
    void abandon(Throwable cause) {
        if (setUp != null && !kept) {
            setUp.abandon(cause);
        }
    }
}
