package org.mscclj.gpu.engine;

import java.util.Optional;
import org.mscclj.spi.engine.AbortFlag;

/** The communicator's abort flag, or that of waits for one peer, where kernels see it. */
public final class AbortWord implements AutoCloseable {
    /** What is written to have kernels leave; kernels themselves write more. */
    private static final int LEAVE = 1;

    /** What a kernel writes that finds another launch of its communicator at work. */
    private static final int OVERLAP = 2;

    /** What a kernel writes that is sent another size than it expects; the words after it say from whom, and which. */
    private static final int UNEQUAL_SIZES = 3;

    private static final int PEER = 1;
    private static final int SENT = 2;
    private static final int EXPECTED = 3;
    private static final int WORDS = 4;

    private final int rank;
    private final AbortFlag flag;
    private final HostWords pool;
    private final HostWords.Words words;
    private final Runnable whenSet = this::set;
    private volatile boolean closed;

    /**
     * A word that is 0 until the flag is set.
     *
     * @param rank this rank, for messages
     * @param pool where it is taken from
     */
    public AbortWord(int rank, AbortFlag flag, HostWords pool) {
        this.rank = rank;
        this.flag = flag;
        this.pool = pool;
        this.words = pool.take(WORDS);
        flag.whenSet(whenSet);
    }

    /**
     * Has kernels that wait leave, though nobody has aborted the communicator; those of this word alone. In any thread,
     * at any time, also when this is closed.
     */
    synchronized void set() {
        if (!closed) {
            words.setRelease(0, LEAVE);
        }
    }

    /** Whether a kernel may be asking for an abort; {@link #look} knows better. Neither blocks nor allocates. */
    boolean isAsked() {
        try {
            return !closed && (int) words.getAcquire(0) > LEAVE;
        } catch (IllegalStateException _) { // closed meanwhile, and the pool with it
            return false;
        }
    }

    /**
     * Aborts the communicator if a kernel asks for that. Returns whether it is to be asked again. Not to be called by
     * who sets the flag, or is asked by him.
     */
    boolean look() {
        asked().ifPresent(flag::fail); // outside of the monitor, in which whoever sets the flag sets this
        return !closed && !flag.isSet();
    }

    private synchronized Optional<String> asked() {
        return switch (closed ? 0 : (int) words.getAcquire(0)) {
            case OVERLAP ->
                Optional.of("two launches of it were at work at once on this rank: graphs of other software were"
                        + " replayed at the same time as each other,"
                        + " or as other launches; order their streams by events");
            case UNEQUAL_SIZES ->
                Optional.of("rank " + words.getAcquire(PEER) + " sends " + words.getAcquire(SENT)
                        + " bytes, where rank " + rank + " receives " + words.getAcquire(EXPECTED)
                        + " from it; the sizes of a message must be equal, and messages between two"
                        + " ranks be received in the order in which they are sent");
            default -> Optional.empty();
        };
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
