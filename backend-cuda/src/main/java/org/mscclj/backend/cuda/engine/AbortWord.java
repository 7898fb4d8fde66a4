package org.mscclj.backend.cuda.engine;

import org.mscclj.spi.engine.AbortFlag;

/** The communicator's abort flag, where kernels see it. */
public final class AbortWord implements AutoCloseable {
    private final HostWords pool;
    private final HostWords.Words words;
    private boolean closed;

    /**
     * A word that is 0 until the flag is set.
     *
     * @param pool where it is taken from
     */
    public AbortWord(AbortFlag flag, HostWords pool) {
        this.pool = pool;
        this.words = pool.take(1);
        flag.whenSet(this::set);
    }

    /** In any thread, at any time, also when this is closed. */
    private synchronized void set() {
        if (!closed) {
            words.setRelease(0, 1);
        }
    }

    /** Where it lies, as the GPU sees it. */
    public long address() {
        return words.address();
    }

    /** No kernel reads it any more. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            pool.giveBack(words);
        }
    }
}
