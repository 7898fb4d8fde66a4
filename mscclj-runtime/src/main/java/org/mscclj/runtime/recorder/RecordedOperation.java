package org.mscclj.runtime.recorder;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;

/**
 * What the recorder knows of an operation that was prepared. It outlives the operation, without keeping what that uses. Safe for use by several
 * threads.
 */
public final class RecordedOperation {
    /** Stands for the number of a launch among those of its operation, which replays of graphs have not. */
    public static final long REPLAY = 0;

    private final OperationDescription description;
    private final Object words;
    private final Optional<List<Transfer>> transfers;
    private boolean several;

    /** Held by who looks at what may take a driver, and so for long. */
    private final Object looking = new Object();

    private final DriverQuestion<Boolean> underWay = new DriverQuestion<>(this::isUnderWay);

    /** Written with both monitors, read with either. */
    private @Nullable Progress progress;

    /** How far the launches of an operation are. */
    public interface Progress {
        /** Whether a launch has ended, by its number among those of the operation. Neither blocks nor calls a driver. */
        boolean isEnded(long number);

        /** Whether some launch of the operation's plan has begun on this rank and not finished. May call a driver. */
        boolean isUnderWay();

        /** The messages of the launch in flight that have not moved yet; none if the operation moves none. Neither blocks nor calls a driver. */
        default List<PendingTransfer> pending() {
            return List.of();
        }

        /** The same of a replay that is in flight; none if it has not come to this launch, or is past it. */
        default List<PendingTransfer> pendingOfReplay() {
            return List.of();
        }
    }

    /** An operation that can be launched, does not consist of messages, and is called what its description says. */
    public RecordedOperation(OperationDescription description, Progress progress) {
        this(description, description, Optional.empty(), progress);
    }

    /**
     * An operation that can be launched.
     *
     * @param words gives, as its string, what the operation is called; asked only by who looks for a fault
     * @param transfers the messages of which each launch consists, which a rank may have none of; empty if it does not. Kept as they are
     */
    public RecordedOperation(
            OperationDescription description, Object words, Optional<List<Transfer>> transfers, Progress progress) {
        this.description = description;
        this.words = words;
        this.transfers = transfers;
        this.progress = progress;
    }

    /**
     * Operations that a graph launches as one: only the order of launches knows when that has ended.
     *
     * @param all of them, each of which begins when the one before has ended
     */
    public static RecordedOperation together(
            OperationDescription description, Object words, List<RecordedOperation> all) {
        RecordedOperation together = new RecordedOperation(description, words, transfersOf(all), new Progress() {
            @Override
            public boolean isEnded(long number) {
                throw new UnsupportedOperationException("it is replayed, and replays are not asked");
            }

            @Override
            public boolean isUnderWay() {
                return all.stream().anyMatch(RecordedOperation::isUnderWay);
            }

            @Override
            public List<PendingTransfer> pendingOfReplay() {
                return all.stream()
                        .map(one -> one.pending(REPLAY))
                        .filter(pending -> !pending.isEmpty())
                        .findFirst()
                        .orElseGet(List::of);
            }
        });
        together.several = true;
        return together;
    }

    private static Optional<List<Transfer>> transfersOf(List<RecordedOperation> all) {
        return all.stream()
                .map(RecordedOperation::transfers)
                .flatMap(Optional::stream)
                .reduce((one, other) ->
                        Stream.concat(one.stream(), other.stream()).toList());
    }

    /** What it is. */
    public OperationDescription description() {
        return description;
    }

    /** What it is, in words. */
    public String words() {
        return words.toString();
    }

    /** The messages of which each launch consists; empty if it does not. */
    public Optional<List<Transfer>> transfers() {
        return transfers;
    }

    /** Says that all launches have ended, and that what they used is freed when this returns. */
    public void end() {
        synchronized (looking) {
            synchronized (this) {
                progress = null;
            }
        }
    }

    /**
     * Whether a launch has ended; of a replay, only whether all have, and for good. Waits for nobody who asks a driver. Under a monitor: what is looked at is freed only
     * after {@link #end}.
     */
    synchronized boolean isEnded(long number) {
        Progress known = progress;
        return known == null || (number != REPLAY && known.isEnded(number));
    }

    /** The messages of a launch in flight that have not moved yet. Waits for nobody who asks a driver, and looks only at what is not freed, as {@link #isEnded}. */
    synchronized List<PendingTransfer> pending(long number) {
        Progress known = progress;
        if (known == null) {
            return List.of();
        }
        return number == REPLAY ? known.pendingOfReplay() : known.pending();
    }

    /** Whether these are several operations, which are launched as one. */
    boolean isSeveral() {
        return several;
    }

    /** Whether some launch of the operation's plan is at work; empty if the driver does not answer within the patience. */
    Optional<Boolean> askUnderWay(Duration patience) {
        return underWay.ask(patience);
    }

    private boolean isUnderWay() {
        synchronized (looking) {
            Progress known = progress;
            return known != null && known.isUnderWay();
        }
    }
}
