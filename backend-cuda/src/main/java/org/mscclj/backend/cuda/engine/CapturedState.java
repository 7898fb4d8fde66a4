package org.mscclj.backend.cuda.engine;

import org.mscclj.api.error.MsccljException;

/**
 * The state of a context of which graphs have launches, and the word in which its kernels may ask for an abort. Other software may go on replaying its graphs
 * after an abort, and blocks look at the abort word only while they wait: so their states are marked. Safe for use by several threads.
 */
final class CapturedState implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CapturedState.class.getName());

    private static final String NOT_REFUSED =
            "replays of an aborted communicator by other software are not refused: each ends at its first wait in vain";

    private final AbortWord word;
    private final BlockStates states;
    private boolean closed;

    CapturedState(AbortWord word, BlockStates states) {
        this.word = word;
        this.states = states;
    }

    /**
     * Aborts the communicator if a kernel asks for that, and once it is aborted has all replays refused, by a thread of its own: the driver may block.
     *
     * @return whether it is to be asked again
     */
    boolean look() {
        boolean again = word.look();
        if (!again) {
            try {
                Thread.ofPlatform().daemon().name("mscclj-cuda-refusal").start(this::refuse);
            } catch (OutOfMemoryError e) { // no thread can be started
                LOGGER.log(System.Logger.Level.WARNING, NOT_REFUSED, e);
            }
        }
        return again;
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
    }
}
