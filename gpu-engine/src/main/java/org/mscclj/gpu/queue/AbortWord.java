package org.mscclj.gpu.queue;

import java.util.Optional;
import org.mscclj.spi.engine.AbortFlag;

/** The abort flag of a communicator, or of the waits for one peer, in memory that kernels read. */
public final class AbortWord implements AbortRequest, AutoCloseable {
    /** The value that makes waiting kernels leave. Kernels themselves write greater values. */
    private static final int LEAVE = 1;

    /** The value that a kernel writes when it finds another launch of its communicator at work. */
    private static final int OVERLAP = 2;

    /**
     * The value that a kernel writes when a peer sends another size than the kernel expects. The words that follow hold
     * the peer and both sizes.
     */
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
     * Creates a word that is 0 until the flag is set.
     *
     * @param rank this rank, for messages
     * @param pool the pool that supplies the word
     */
    public AbortWord(int rank, AbortFlag flag, HostWords pool) {
        this.rank = rank;
        this.flag = flag;
        this.pool = pool;
        this.words = pool.take(WORDS);
        flag.whenSet(whenSet);
    }

    /**
     * Makes kernels that wait on this word leave, although the communicator is not aborted. Any thread may call this at
     * any time, also after {@link #close}.
     */
    public synchronized void set() {
        if (!closed) {
            words.setRelease(0, LEAVE);
        }
    }

    @Override
    public boolean isAsked() {
        try {
            return !closed && (int) words.getAcquire(0) > LEAVE;
        } catch (IllegalStateException _) { // the word and its pool were closed meanwhile
            return false;
        }
    }

    @Override
    public boolean look() {
        asked().ifPresent(flag::fail); // outside of the monitor: setting the flag enters it to set this word
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

    /** The address of the word on the GPU. */
    public long address() {
        return words.address();
    }

    /** Releases the word. No kernel may read it any more. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            flag.forget(whenSet);
            pool.giveBack(words);
        }
    }
}
