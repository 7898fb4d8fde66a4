package org.mscclj.backend.host.step;

import org.mscclj.backend.host.ffm.NativeMemory;

/**
 * Raises counters of peers. The atomic addition releases everything that the block, and blocks it met, did before; relaxed
 * signals do the same, which costs nothing on a CPU and makes plans right that signal relaxed after remote stores.
 */
public final class SignalStep extends Step {
    private final long[] counters;

    /** Raises each counter by one. */
    public SignalStep(long[] counters) {
        this.counters = counters;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        // nothing to prepare
    }

    @Override
    public int advance(StepContext context) {
        for (long counter : counters) {
            NativeMemory.getAndAddLong(counter, 1);
        }
        return ENDED;
    }
}
