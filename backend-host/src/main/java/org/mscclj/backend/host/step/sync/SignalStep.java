package org.mscclj.backend.host.step.sync;

import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;
import org.mscclj.posix.NativeMemory;

/**
 * Raises counters of peers. The signal releases everything that the block, and blocks that it has synchronized with,
 * did before. Relaxed signals release too: this costs nothing on a CPU, and makes plans correct that signal relaxed
 * after remote stores.
 *
 * <p>One channel raises a counter. Where one block alone signals on that channel, it stores its own count, which unlike
 * an atomic addition does not wait for the line that the peer has just read.
 */
public final class SignalStep extends HostStep {
    private final SignalCounts sent;
    private final int[] channels;
    private final long[] counters;

    /**
     * Raises each counter by one.
     *
     * @param channels ids of the channels, for {@code sent}
     * @param counters addresses of the counters at the other ends of these channels
     */
    public SignalStep(SignalCounts sent, int[] channels, long[] counters) {
        this.sent = sent;
        this.channels = channels;
        this.counters = counters;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        // nothing to prepare
    }

    @Override
    public int advance(StepContext context) {
        for (int i = 0; i < counters.length; i++) {
            if (sent.isShared(channels[i])) {
                NativeMemory.getAndAddLong(counters[i], 1);
            } else {
                NativeMemory.setLongRelease(counters[i], sent.next(channels[i]));
            }
        }
        return ENDED;
    }
}
