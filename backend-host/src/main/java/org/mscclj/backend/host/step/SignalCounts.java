package org.mscclj.backend.host.step;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many signals this rank has sent, or has waited for, by channel. Counts persist over launches.
 *
 * <p>A channel that only one block uses is counted without atomic operations: a block is continued by one thread at a
 * time, and launches are ordered, so that each count happens before the next. Blocks that share a channel count it
 * atomically.
 */
public final class SignalCounts {
    /**
     * Counts of different blocks, which different cores may be at, lie on different cache lines, prefetched neighbours
     * included.
     */
    private static final int STRIDE = 16;

    private final AtomicLongArray values;
    private final int[] positions;
    private final boolean[] shared;

    /**
     * All counts 0.
     *
     * @param channels how many channels the rank has
     * @param channelsOfBlocks for each block, the channels that it uses
     */
    public SignalCounts(int channels, List<List<Integer>> channelsOfBlocks) {
        positions = new int[channels];
        shared = new boolean[channels];
        Set<Integer> placed = new HashSet<>();
        int position = 0;
        for (List<Integer> ofBlock : channelsOfBlocks) {
            for (int channel : new HashSet<>(ofBlock)) {
                if (placed.add(channel)) {
                    positions[channel] = position++;
                } else {
                    shared[channel] = true;
                }
            }
            position = Math.ceilDiv(position, STRIDE) * STRIDE;
        }
        values = new AtomicLongArray(position);
    }

    /** Whether several blocks use the channel. */
    boolean isShared(int channel) {
        return shared[channel];
    }

    /** Counts one more signal of a channel; returns how many there are now. */
    long next(int channel) {
        int position = positions[channel];
        if (shared[channel]) {
            return values.incrementAndGet(position);
        }
        long next = values.getPlain(position) + 1;
        values.setPlain(position, next);
        return next;
    }
}
