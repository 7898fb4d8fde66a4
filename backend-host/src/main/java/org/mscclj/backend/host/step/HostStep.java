package org.mscclj.backend.host.step;

/**
 * One operation of a block. One thread at a time calls it; a thread that continues an operation sees everything that
 * earlier threads did for it.
 */
public abstract class HostStep {
    /** The operation has ended. */
    public static final int ENDED = 0;

    /** The operation waits for an event that has not happened yet. */
    public static final int BLOCKED = 1;

    /** The operation can continue, but has used up its budget. */
    public static final int PAUSED = 2;

    /** For subclasses. */
    protected HostStep() {}

    /**
     * Starts the operation.
     *
     * @param context the block's state in this launch
     * @param from start of the part to handle in the operation's own range, in bytes; 0 outside pipelines
     * @param to its end, exclusive; may lie beyond the range
     */
    public abstract void begin(StepContext context, long from, long to);

    /**
     * The number of bytes that the operation moves or reduces in a part, for traces; 0 if it moves none, or if the
     * number is not known. Called after {@link #begin}.
     */
    public long bytes(long from, long to) {
        return 0;
    }

    /** Advances as far as possible; returns {@link #ENDED}, {@link #BLOCKED} or {@link #PAUSED}. */
    public abstract int advance(StepContext context);
}
