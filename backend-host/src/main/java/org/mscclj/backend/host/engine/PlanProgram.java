package org.mscclj.backend.host.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.host.step.LaunchBuffers;
import org.mscclj.backend.host.step.LaunchRound;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.transfer.PendingTransfer;

/** The program of a plan on the buffers of a launch. */
final class PlanProgram implements HostProgram {
    private final HostContext context;
    private final CompiledPlan plan;
    private final LaunchGeometry geometry;
    private final @Nullable LaunchRound full;
    private final @Nullable LaunchRound last;

    /** The conversion around the plan for an average or a premultiplied sum; null for other operations. */
    private final @Nullable HostScaling addends;

    /**
     * A plan on the buffers of a launch.
     *
     * @throws org.mscclj.api.error.UnsupportedException if memory to access is not mapped
     */
    PlanProgram(HostContext context, CompiledPlan plan, LaunchSpec spec) {
        this.context = context;
        this.plan = plan;
        this.geometry = spec.geometry();
        LaunchBuffers buffers = new LaunchBuffers(spec);
        plan.needs().check(buffers);
        long rounds = geometry.rounds();
        this.full = rounds > 1 ? new LaunchRound(geometry.round(0), buffers) : null;
        this.last = rounds > 0 ? new LaunchRound(geometry.round(rounds - 1), buffers) : null;
        this.addends =
                spec.scaling().map(scaling -> new HostScaling(spec, scaling)).orElse(null);
    }

    @Override
    public long rounds() {
        return geometry.rounds();
    }

    @Override
    public long roundBytes() {
        return geometry.fullRoundBytes();
    }

    @Override
    public BlockRun[] blocks() {
        return plan.blocks();
    }

    @Override
    public @Nullable LaunchRound round(boolean isLast) {
        return isLast ? last : full;
    }

    @Override
    public List<PortBinding> flushed() {
        return context.spec().ports();
    }

    /** Does nothing but scaling: steps begin by themselves. */
    @Override
    public void begin() {
        if (addends != null) {
            addends.contribute();
        }
    }

    @Override
    public void complete() {
        if (addends != null) {
            addends.finish();
        }
    }

    @Override
    public boolean isOfSomeRanks() {
        return false;
    }

    @Override
    public List<PendingTransfer> pending() {
        return List.of();
    }

    @Override
    public List<PendingTransfer> notBegun() {
        return List.of();
    }
}
