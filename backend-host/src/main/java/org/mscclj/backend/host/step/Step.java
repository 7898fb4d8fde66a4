package org.mscclj.backend.host.step;

/**
 * One operation of a block. Called by one thread at a time; a thread that continues what another began sees everything
 * that one did.
 */
public abstract class Step {
    /** The operation has ended. */
    public static final int ENDED = 0;

    /** Something that the operation waits for has not happened yet. */
    public static final int BLOCKED = 1;

    /** The operation can go on, but has had its share of time. */
    public static final int PAUSED = 2;

    /** For subclasses. */
    protected Step() {}

    /**
     * Starts the operation.
     *
     * @param context the block's state in this launch
     * @param from start of the part of the operation's own range to handle, in bytes; 0 outside pipelines
     * @param to its end, exclusive; may lie beyond the range
     */
    public abstract void begin(StepContext context, long from, long to);

    /**
     * How many bytes {@link #begin} with the same part is about to move or reduce; 0 if it is none, or not known. For
     * traces.
     */
    public long bytes(long from, long to) {
        return 0;
    }

    /** Goes on as far as possible; returns {@link #ENDED}, {@link #BLOCKED} or {@link #PAUSED}. */
    public abstract int advance(StepContext context);
}
