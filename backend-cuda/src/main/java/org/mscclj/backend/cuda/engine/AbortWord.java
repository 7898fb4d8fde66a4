package org.mscclj.backend.cuda.engine;

import org.mscclj.spi.engine.AbortFlag;

/** The communicator's abort flag, where kernels see it. */
public final class AbortWord implements AutoCloseable {
    /** What a kernel writes that finds another launch of its communicator at work. */
    private static final long OVERLAP = 2;

    private final AbortFlag flag;
    private final HostWords pool;
    private final HostWords.Words words;
    private final Runnable whenSet = this::set;
    private boolean closed;

    /**
     * A word that is 0 until the flag is set.
     *
     * @param pool where it is taken from
     */
    public AbortWord(AbortFlag flag, HostWords pool) {
        this.flag = flag;
        this.pool = pool;
        this.words = pool.take(1);
        flag.whenSet(whenSet);
    }

    /** In any thread, at any time, also when this is closed. */
    private synchronized void set() {
        if (!closed) {
            words.setRelease(0, 1);
        }
    }

    /** Aborts the communicator if a kernel asks for that. Returns whether it is to be asked again. */
    synchronized boolean look() {
        if (!closed && words.getAcquire(0) == OVERLAP) {
            flag.set(
                    "two launches of it were at work at once on this rank: graphs of other software were replayed at the same time as each other,"
                            + " or as other launches; order their streams by events");
        }
        return !closed && !flag.isSet();
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
            flag.forget(whenSet);
            pool.giveBack(words);
        }
    }
}
