package org.mscclj.backend.host.step.sync;

import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;

/** A block sync: waits for the other blocks of a barrier. */
public final class BarrierStep extends HostStep {
    private final RankBarrier barrier;
    private boolean arrived;
    private long target;

    /** A step that passes a barrier. */
    public BarrierStep(RankBarrier barrier) {
        this.barrier = barrier;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        arrived = false;
    }

    @Override
    public int advance(StepContext context) {
        if (!arrived) {
            target = barrier.arrive();
            arrived = true;
        }
        return barrier.isOver(target) ? ENDED : BLOCKED;
    }
}
