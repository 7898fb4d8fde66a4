package org.mscclj.backend.host.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.LaunchRound;
import org.mscclj.backend.host.transfer.AccessStep;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * An access to memory on another node, in one round of one block. Its step waits for flushes itself.
 *
 * @param step the access
 * @param carriedOut the step that the block carries out: the access, or the access with a trace around it
 */
record AccessProgram(AccessStep step, HostStep carriedOut) implements HostProgram {
    @Override
    public long rounds() {
        return 1;
    }

    @Override
    public long roundBytes() {
        return 0;
    }

    @Override
    public BlockRun[] blocks() {
        return BlockRun.of(List.<HostStep[]>of(new HostStep[] {carriedOut}));
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
        step.forget();
    }

    @Override
    public void complete() {
        // the last chunk was the end
    }

    @Override
    public boolean isOfSomeRanks() {
        return true;
    }

    @Override
    public List<PendingTransfer> pending() {
        return step.pending();
    }

    @Override
    public List<PendingTransfer> notBegun() {
        return step.notBegun();
    }
}
