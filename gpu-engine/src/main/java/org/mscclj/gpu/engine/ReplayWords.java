package org.mscclj.gpu.engine;

import org.mscclj.device.kernels.plan.LaunchHeader;

/**
 * How far the blocks of a captured kernel are in a replay, in words of the host's memory. Nobody here counts how often
 * a graph runs, but the device does: a block writes twice the number of its launches when it begins, and one more when
 * it ends. So an even word is that of a block at work.
 */
final class ReplayWords implements AutoCloseable {
    private final HostWords pool;
    private final HostWords.Words words;
    private final int blocks;

    /** Of a kernel that was never replayed. */
    ReplayWords(HostWords pool, int blocks) {
        this.pool = pool;
        this.blocks = blocks;
        this.words = pool.take(blocks);
    }

    /** Where blocks write. */
    long address() {
        return words.address();
    }

    /** What tells them to write. */
    static long number() {
        return LaunchHeader.REPLAY;
    }

    /** Whether a block has ended, while another is at work. */
    boolean hasEnded(int block) {
        return isEnd(block);
    }

    /** Whether a block is at work. If none is, a replay has not come to this kernel, or is past it. */
    boolean isUnderWay() {
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

    /** Gives the words back; no kernel writes them any more. */
    @Override
    public void close() {
        pool.giveBack(words);
    }
}
