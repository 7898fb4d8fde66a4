package org.mscclj.gpu.queue;

import org.mscclj.device.kernels.plan.LaunchHeader;

/**
 * The progress of the blocks of a captured kernel in a replay, in words of the host's memory. The host does not count
 * how often a graph runs, but the device does. A block writes twice the number of its launches when it begins, and one
 * more when it ends. So an even word belongs to a block at work.
 */
public final class ReplayWords implements AutoCloseable {
    private final HostWords pool;
    private final HostWords.Words words;
    private final int blocks;

    /** Creates the words of a kernel that was never replayed. */
    public ReplayWords(HostWords pool, int blocks) {
        this.pool = pool;
        this.blocks = blocks;
        this.words = pool.take(blocks);
    }

    /** The address at which blocks write. */
    public long address() {
        return words.address();
    }

    /** The launch number that makes blocks write these words. */
    public static long number() {
        return LaunchHeader.REPLAY;
    }

    /** Whether a block has ended while another one is at work. */
    public boolean hasEnded(int block) {
        return isEnd(block);
    }

    /** Whether a block is at work. If none is, a replay has not reached this kernel, or is past it. */
    public boolean isUnderWay() {
        for (int block = 0; block < blocks; block++) {
            if (!isEnd(block) && words.getAcquire(block) != 0) {
                return true;
            }
        }
        return false;
    }

    private boolean isEnd(int block) {
        return (words.getAcquire(block) & 1) != 0;
    }

    /** Returns the words to the pool. No kernel may write them any more. */
    @Override
    public void close() {
        pool.giveBack(words);
    }
}
