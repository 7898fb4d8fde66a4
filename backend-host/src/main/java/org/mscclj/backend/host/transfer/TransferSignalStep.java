package org.mscclj.backend.host.transfer;

import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;
import org.mscclj.spi.transfer.TransferSpec;

/** Sends a signal to another rank, or waits for a signal and consumes it. */
final class TransferSignalStep extends HostStep {
    private final TransferSpec.Signal signal;
    private final TransferLane lane;

    /** Written by the thread that continues the block, read by threads that report progress. */
    private volatile boolean ended;

    TransferSignalStep(TransferSpec.Signal signal, TransferLane lane) {
        this.signal = signal;
        this.lane = lane;
    }

    TransferSpec.Signal signal() {
        return signal;
    }

    /** Resets the end of an earlier launch. */
    void forget() {
        ended = false;
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        ended = false;
    }

    @Override
    public int advance(StepContext context) {
        if (signal.sends() ? lane.pass(0) : lane.take()) {
            ended = true;
            return ENDED;
        }
        return BLOCKED;
    }
}
