package org.mscclj.runtime.recorder;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * What the recorder knows of an operation that was prepared. It outlives the operation, without keeping what that uses. Safe for use by several
 * threads.
 */
public final class RecordedOperation {
    private final OperationDescription description;
    private final Object words;
    private @Nullable Progress progress;

    /** How far the launches of an operation are. */
    public interface Progress {
        /** Whether a launch has ended, by its number among those of the operation. Neither blocks nor calls a driver. */
        boolean isEnded(long number);

        /** Whether some launch of the operation's plan has begun on this rank and not finished. May call a driver. */
        boolean isUnderWay();

        /** The messages of the launch in flight that have not moved yet; none if the operation moves none. */
        default List<PendingTransfer> pending() {
            return List.of();
        }
    }

    /** An operation that can be launched, and is called what its description says. */
    public RecordedOperation(OperationDescription description, Progress progress) {
        this(description, description, progress);
    }

    /**
     * An operation that can be launched.
     *
     * @param words gives, as its string, what the operation is called; asked only by who looks for a fault
     */
    public RecordedOperation(OperationDescription description, Object words, Progress progress) {
        this.description = description;
        this.words = words;
        this.progress = progress;
    }

    /** What it is. */
    public OperationDescription description() {
        return description;
    }

    /** What it is, in words. */
    public String words() {
        return words.toString();
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

    synchronized List<PendingTransfer> pending() {
        Progress known = progress;
        return known == null ? List.of() : known.pending();
    }
}
