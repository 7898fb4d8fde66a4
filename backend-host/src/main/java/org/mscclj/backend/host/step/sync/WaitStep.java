package org.mscclj.backend.host.step.sync;

import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;
import org.mscclj.posix.NativeMemory;

/** Waits for the next signal on each channel; acquires. */
public final class WaitStep extends HostStep {
    private final SignalCounts expected;
    private final int[] channels;
    private final long[] counters;
    private final long[] targets;
    private boolean claimed;
    private int next;

    /**
     * A wait.
     *
     * @param channels ids of the channels, for {@code expected}
     * @param counters addresses of this rank's counters of these channels
     */
    public WaitStep(SignalCounts expected, int[] channels, long[] counters) {
        this.expected = expected;
        this.channels = channels;
        this.counters = counters;
        this.targets = new long[channels.length];
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        claimed = false;
        next = 0;
    }

    @Override
    public int advance(StepContext context) {
        if (!claimed) {
            for (int i = 0; i < channels.length; i++) {
                targets[i] = expected.next(channels[i]);
            }
            claimed = true;
        }
        while (next < counters.length) {
            if (NativeMemory.getLongAcquire(counters[next]) < targets[next]) {
                return BLOCKED;
            }
            next++;
        }
        return ENDED;
    }
}
