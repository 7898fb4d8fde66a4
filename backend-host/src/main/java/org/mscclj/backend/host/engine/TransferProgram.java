package org.mscclj.backend.host.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.host.step.LaunchRound;
import org.mscclj.backend.host.transfer.TransferSteps;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * A batch of sends and receives, in one round. It flushes nothing: port channels copy from slots, not from the caller's
 * memory, and slots have owners.
 */
record TransferProgram(TransferSteps steps, boolean isOfSomeRanks) implements HostProgram {
    @Override
    public long rounds() {
        return steps.blocks().isEmpty() ? 0 : 1;
    }

    @Override
    public long roundBytes() {
        return 0;
    }

    @Override
    public BlockRun[] blocks() {
        return BlockRun.of(steps.blocks());
    }

    @Override
    public @Nullable LaunchRound round(boolean isLast) {
        return null;
    }

    @Override
    public List<PortBinding> flushed() {
        return List.of();
    }

    @Override
    public void begin() {
        steps.begin();
    }

    @Override
    public void complete() {
        // the last chunk was the end
    }

    @Override
    public List<PendingTransfer> pending() {
        return steps.pending();
    }

    @Override
    public List<PendingTransfer> notBegun() {
        return steps.notBegun();
    }
}
