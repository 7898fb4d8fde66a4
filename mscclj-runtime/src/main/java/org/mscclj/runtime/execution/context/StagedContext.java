package org.mscclj.runtime.execution.context;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/**
 * The context for a call that ranks set up: an existing one, or a new one whose set-up steps travel with the steps of
 * the call.
 */
public final class StagedContext {
    private final ContextCache contexts;
    private final Plan plan;
    private final Optional<PlanContext> known;
    private final @Nullable ContextSetUp setUp;
    private boolean kept;

    /**
     * Creates the part of a rank.
     *
     * @param sliceBytes bytes of the slices on which the plan works
     */
    public StagedContext(ContextCache contexts, Plan plan, long sliceBytes) {
        this.contexts = contexts;
        this.plan = plan;
        this.known = contexts.find(plan, sliceBytes);
        this.setUp = known.isPresent() ? null : contexts.begin(plan, sliceBytes);
    }

    /** Returns this rank's description of a new context; empty if a context exists. */
    public byte[] describe() {
        return setUp == null ? new byte[0] : setUp.describe().encode();
    }

    /**
     * Connects a new context. Collective, unless all ranks have a context.
     *
     * @param described the description of each rank
     * @throws InvalidArgumentException on every rank alike, if ranks lay scratch out differently
     */
    public void connect(List<Message> described) {
        Differences.among(
                        described.stream().map(one -> one.bytes().length == 0).toList(),
                        has -> has ? "have a context whose slots are large enough" : "open a new one")
                .ifPresent(different -> {
                    throw new InvalidArgumentException("ranks lay out the scratch of plan " + plan.name()
                            + " differently: " + different + "; " + ExecutorOptions.SCRATCH_LIMIT_VARIABLE
                            + ", the plan and its size must be equal on all ranks");
                });
        if (setUp != null) {
            setUp.connect(ContextDescription.ofRanks(plan.name(), described));
        }
    }

    /** Returns the context, ready for launches of this rank. */
    public PlanContext open() {
        return setUp == null ? known.orElseThrow() : setUp.open(_ -> {});
    }

    /** Returns whether no context of the plan can have larger slots. */
    public boolean isLargest(PlanContext opened) {
        return contexts.isLargest(plan, opened);
    }

    /** Keeps the context. All ranks must have opened it. */
    public void keep(PlanContext opened) {
        if (setUp != null) {
            contexts.add(plan, opened);
            kept = true;
        }
    }

    /** Frees a new context, unless all ranks have opened it. */
    public void abandon(Throwable cause) {
        if (setUp != null && !kept) {
            setUp.abandon(cause);
        }
    }
}
