package org.mscclj.gpu.engine;

import org.mscclj.api.error.MsccljException;
import org.mscclj.gpu.queue.AbortWord;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The state of a context whose launches are in graphs, and the word in which its kernels may request an abort. Other
 * software may continue to replay its graphs after an abort, and thread blocks read the abort word only while they
 * wait. So the abort also marks the states of the blocks, as soon as it arrives. Safe for use by several threads.
 */
final class CapturedState implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CapturedState.class.getName());

    private static final String NOT_REFUSED =
            "replays of an aborted communicator by other software are not refused: each ends at its first wait in vain";

    private final AbortFlag flag;
    private final AbortWord word;
    private final BlockStates states;
    private final Runnable whenSet = this::refuseSoon;
    private boolean captured;
    private boolean closed;

    CapturedState(AbortFlag flag, AbortWord word, BlockStates states) {
        this.flag = flag;
        this.word = word;
        this.states = states;
    }

    /**
     * Records that a graph has launches from now on. Once the communicator is aborted, all replays are refused.
     * Idempotent.
     */
    void captured() {
        boolean first;
        synchronized (this) {
            first = !captured && !closed;
            captured = true;
        }
        if (first) {
            flag.whenSet(whenSet); // without the lock: the flag may call this at once
            forgetIfClosed();
        }
    }

    private synchronized void forgetIfClosed() {
        if (closed) {
            flag.forget(whenSet);
        }
    }

    /** Aborts the communicator if a kernel requests that. Returns whether to call this again later. */
    boolean look() {
        return word.look();
    }

    /**
     * The number of launches that all blocks together have begun, if one is at work; 0 if none is, or if no graph ever
     * had one. Calls the driver.
     */
    synchronized long atWork() {
        return captured && !closed ? states.atWork() : 0;
    }

    /** Refuses launches in a separate thread: the driver may block, and any thread may be the one that aborts. */
    private void refuseSoon() {
        try {
            Thread.ofPlatform().daemon().name("mscclj-gpu-refusal").start(this::refuse);
        } catch (OutOfMemoryError e) { // no thread can be started
            LOGGER.log(System.Logger.Level.WARNING, NOT_REFUSED, e);
        }
    }

    private synchronized void refuse() {
        if (closed) {
            return;
        }
        try {
            states.refuse();
        } catch (MsccljException e) {
            LOGGER.log(System.Logger.Level.WARNING, NOT_REFUSED, e);
        }
    }

    /** Detaches from the flag. After this the state may be freed. */
    @Override
    public synchronized void close() {
        closed = true;
        flag.forget(whenSet);
    }
}
