package org.mscclj.backend.host.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.host.step.Step;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * The program of a plan on the buffers of a launch.
 *
 * @param context the context of the plan
 * @param spec the buffers, and the mapping of the call's bytes to the plan's chunks
 * @param addends the conversion around the plan for an average or a premultiplied sum; null for other operations
 */
record PlanProgram(
        HostContext context, LaunchSpec spec, @Nullable HostScaling addends) implements HostProgram {
    /** A plan on the buffers of a launch. */
    static PlanProgram of(HostContext context, LaunchSpec spec) {
        return new PlanProgram(
                context,
                spec,
                spec.scaling().map(scaling -> new HostScaling(spec, scaling)).orElse(null));
    }

    @Override
    public long rounds() {
        return spec.geometry().rounds();
    }

    @Override
    public long roundBytes() {
        return spec.geometry().fullRoundBytes();
    }

    @Override
    public List<Step[]> blocks(long round, StepMemory memory) {
        return new ProgramCompiler(context, spec, spec.geometry().round(round), memory).compile();
    }

    @Override
    public List<PortBinding> flushed() {
        return context.spec().ports();
    }

    /** Does nothing: steps begin by themselves. */
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
