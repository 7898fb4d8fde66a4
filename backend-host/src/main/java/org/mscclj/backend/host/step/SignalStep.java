package org.mscclj.backend.host.step;

import org.mscclj.posix.NativeMemory;

/**
 * Raises counters of peers. That releases everything that the block, and blocks it met, did before; relaxed signals do
 * the same, which costs nothing on a CPU and makes plans right that signal relaxed after remote stores.
 *
 * <p>A counter has one channel that raises it. Where one block alone signals on that channel, it stores what it has
 * counted itself, which unlike an atomic addition does not wait for the line that the peer has just read.
 */
public final class SignalStep extends Step {
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
