package org.mscclj.backend.host.engine;

import java.lang.foreign.Arena;
import java.util.List;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.ScaleKernel;
import org.mscclj.backend.host.step.Step;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * A plan on given buffers.
 *
 * @param context of the plan
 * @param spec the buffers, and how the message is laid over the plan
 */
record PlanProgram(HostContext context, LaunchSpec spec) implements HostProgram {
    @Override
    public long rounds() {
        return spec.geometry().rounds();
    }

    @Override
    public long roundBytes() {
        return spec.geometry().fullRoundBytes();
    }

    @Override
    public List<Step[]> blocks(long round, Arena arena) {
        return new ProgramCompiler(context, spec, spec.geometry().round(round), arena).compile();
    }

    @Override
    public List<PortBinding> flushed() {
        return context.spec().ports();
    }

    @Override
    public void begin() {
        // steps begin by themselves
    }

    /** Completes averages and premultiplied sums, which plans compute as sums. */
    @Override
    public void complete() {
        if (!spec.scalesOutput()) {
            return;
        }
        ScaleKernel kernel = ScaleKernel.of(spec.type());
        long address = spec.output().address();
        long bytes = spec.output().byteSize();
        if (spec.op().kind() == ReduceOp.Kind.AVG) {
            kernel.divide(address, bytes, context.spec().peers().size());
        } else if (spec.op().memory().isPresent()) {
            kernel.scaleBy(address, bytes, spec.op().memory().get().address());
        } else {
            kernel.scale(address, bytes, spec.op().factor());
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
