package org.mscclj.gpu.engine;

import org.mscclj.api.error.MsccljException;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The state of a context of which graphs have launches, and the word in which its kernels may ask for an abort. Other
 * software may go on replaying its graphs after an abort, and blocks look at the abort word only while they wait: so
 * their states are marked, as soon as it comes. Safe for use by several threads.
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
     * Says that a graph has launches from now on: once the communicator is aborted, all replays are refused.
     * Idempotent.
     */
    void captured() {
        boolean first;
        synchronized (this) {
            first = !captured && !closed;
            captured = true;
        }
        if (first) {
            flag.whenSet(whenSet); // without the lock: it may act at once
            forgetIfClosed();
        }
    }

    private synchronized void forgetIfClosed() {
        if (closed) {
            flag.forget(whenSet);
        }
    }

    /** Aborts the communicator if a kernel asks for that. Returns whether it is to be asked again. */
    boolean look() {
        return word.look();
    }

    /**
     * How many launches of all blocks have begun, if one is at work; 0 if none is, or a graph never had one. Calls the
     * driver.
     */
    synchronized long atWork() {
        return captured && !closed ? states.atWork() : 0;
    }

    /** By a thread of its own: the driver may block, and whoever aborts is any thread. */
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

    /** The state may be freed. */
    @Override
    public synchronized void close() {
        closed = true;
        flag.forget(whenSet);
    }
}
