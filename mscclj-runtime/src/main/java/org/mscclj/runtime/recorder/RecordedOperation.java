package org.mscclj.runtime.recorder;

import org.jspecify.annotations.Nullable;
import org.mscclj.api.hook.OperationDescription;

/**
 * What the recorder knows of an operation that was prepared. It outlives the operation, without keeping what that uses. Safe for use by several
 * threads.
 */
public final class RecordedOperation {
    private final OperationDescription description;
    private @Nullable Progress progress;

    /** How far the launches of an operation are. */
    public interface Progress {
        /** Whether a launch has ended, by its number among those of the operation. Neither blocks nor calls a driver. */
        boolean isEnded(long number);

        /** Whether some launch of the operation's plan has begun on this rank and not finished. May call a driver. */
        boolean isUnderWay();
    }

    /** An operation that can be launched. */
    public RecordedOperation(OperationDescription description, Progress progress) {
        this.description = description;
        this.progress = progress;
    }

    /** What it is. */
    public OperationDescription description() {
        return description;
    }

    /** Says that all launches have ended, and that what they used is freed when this returns. */
    public synchronized void end() {
        progress = null;
    }

    /** Under the monitor, like {@link #isUnderWay}: what is looked at is freed only after {@link #end}. */
    synchronized boolean isEnded(long number) {
        Progress known = progress;
        return known == null || known.isEnded(number);
    }

    synchronized boolean isUnderWay() {
        Progress known = progress;
        return known != null && known.isUnderWay();
    }
}
