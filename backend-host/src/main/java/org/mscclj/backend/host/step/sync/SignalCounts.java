package org.mscclj.backend.host.step.sync;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the signals that this rank has sent, or has waited for, by channel. Counts persist across launches.
 *
 * <p>The count of a channel that only one block uses needs no atomic operations: one thread at a time continues a
 * block, and launches are ordered, so that each update happens before the next. Blocks that share a channel count
 * atomically.
 */
public final class SignalCounts {
    /**
     * Distance between counts of different blocks, which different cores may update: different cache lines, prefetched
     * neighbours included.
     */
    private static final int STRIDE = 16;

    /**
     * From this number of blocks on, counts of different blocks share cache lines. A machine runs only a few of that
     * many blocks at once, so that two cores seldom update one line; and separate lines take 32 KiB for 255 blocks.
     */
    private static final int MANY_BLOCKS = 128;

    private final AtomicLongArray values;
    private final int[] positions;
    private final boolean[] shared;

    /**
     * Creates counts of 0.
     *
     * @param channels number of channels of the rank
     * @param channelsOfBlocks for each block, the channels that it uses
     */
    public SignalCounts(int channels, List<List<Integer>> channelsOfBlocks) {
        positions = new int[channels];
        shared = new boolean[channels];
        Set<Integer> placed = new HashSet<>();
        int stride = channelsOfBlocks.size() < MANY_BLOCKS ? STRIDE : 1;
        int position = 0;
        for (List<Integer> ofBlock : channelsOfBlocks) {
            for (int channel : new HashSet<>(ofBlock)) {
                if (placed.add(channel)) {
                    positions[channel] = position++;
                } else {
                    shared[channel] = true;
                }
            }
            position = Math.ceilDiv(position, stride) * stride;
        }
        values = new AtomicLongArray(position);
    }

    /** Whether several blocks use the channel. */
    public boolean isShared(int channel) {
        return shared[channel];
    }

    /** Counts one more signal of a channel; returns the new count. */
    public long next(int channel) {
        int position = positions[channel];
        if (shared[channel]) {
            return values.incrementAndGet(position);
        }
        long next = values.getPlain(position) + 1;
        values.setPlain(position, next);
        return next;
    }
}
