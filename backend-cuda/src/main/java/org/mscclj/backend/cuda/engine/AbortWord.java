package org.mscclj.backend.cuda.engine;

import org.mscclj.spi.engine.AbortFlag;

/** The communicator's abort flag, where kernels see it. */
final class AbortWord {
    private final HostWords pool;
    private final HostWords.Words words;
    private boolean closed;

    AbortWord(AbortFlag flag, HostWords pool) {
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

    long address() {
        return words.address();
    }

    /** No kernel reads it any more. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            pool.giveBack(words);
        }
    }
}
