package org.mscclj.runtime.recorder;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.signature.LaunchSignature;
import org.mscclj.runtime.signature.Places;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;

/**
 * What the recorder knows of an operation that was prepared. It outlives the operation, without keeping what that uses.
 * Safe for use by several threads.
 */
public final class RecordedOperation {
    /** Stands for the number of a launch among those of its operation, which replays of graphs have not. */
    public static final long REPLAY = 0;

    /**
     * Of a number that tells the launches of a graph apart, those that say which one of its plan it is; above them is
     * where in the graph the plan is first.
     */
    private static final int BEGUN_BITS = 40;

    private final OperationDescription description;
    private final Object words;
    private final Optional<List<Transfer>> transfers;
    private final Places places;

    /** Of several operations that a graph launches as one. */
    private @Nullable LongSupplier fingerprint;

    private boolean several;

    /** Held by who looks at what may take a driver, and so for long. */
    private final Object looking = new Object();

    private final DriverQuestion<Long> atWork = new DriverQuestion<>(this::atWork);

    /** Written with both monitors, read with either. */
    private @Nullable Progress progress;

    /** How far the launches of an operation are. */
    public interface Progress {
        /**
         * Whether a launch has ended, by its number among those of the operation. Neither blocks nor calls a driver.
         */
        boolean isEnded(long number);

        /**
         * How many launches of the operation's plan, or rounds of one, have begun on this rank, if the last of them has
         * not finished; 0 if it has. May call a driver.
         */
        long atWork();

        /** The plan that is launched. Operations of the same plan count its launches together. */
        default Object plan() {
            return this;
        }

        /**
         * Tells whether a launch of the operation's plan is at work, whoever has made it: other software, too, which
         * replays a graph. 0 if none is; else a number that changes with each launch. May call a driver.
         */
        default long ofAnybodyAtWork() {
            return 0;
        }

        /**
         * Ranks that have begun fewer launches of the operation's plan than this one, as far as that can be seen from
         * here. May call a driver.
         */
        default List<Integer> behind() {
            return List.of();
        }

        /**
         * The messages of the launch in flight that have not moved yet; none if the operation moves none. Neither
         * blocks nor calls a driver.
         */
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
     * @param transfers the messages of which each launch consists, which a rank may have none of; empty if it does not.
     *     Kept as they are
     */
    public RecordedOperation(
            OperationDescription description, Object words, Optional<List<Transfer>> transfers, Progress progress) {
        this(description, words, transfers, Places.PLAIN, progress);
    }

    /**
     * Likewise.
     *
     * @param places where its buffers lie
     */
    public RecordedOperation(
            OperationDescription description,
            Object words,
            Optional<List<Transfer>> transfers,
            Places places,
            Progress progress) {
        this.description = description;
        this.words = words;
        this.transfers = transfers;
        this.places = places;
        this.progress = progress;
    }

    /**
     * Operations that a graph launches as one: only the order of launches knows when that has ended.
     *
     * @param fingerprint gives that of all of them
     * @param all of them, each of which begins when the one before has ended
     */
    public static RecordedOperation together(
            OperationDescription description, Object words, LongSupplier fingerprint, List<RecordedOperation> all) {
        RecordedOperation together = new RecordedOperation(description, words, transfersOf(all), new Progress() {
            @Override
            public boolean isEnded(long number) {
                throw new UnsupportedOperationException("it is replayed, and replays are not asked");
            }

            @Override
            public long atWork() {
                for (int i = 0; i < all.size(); i++) {
                    long begun = all.get(i).begun();
                    if (begun != 0) { // those of the same plan count alike
                        return (i + 1L) << BEGUN_BITS | (begun & ((1L << BEGUN_BITS) - 1));
                    }
                }
                return 0;
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
        together.fingerprint = fingerprint;
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

    /** What ranks compare before they launch it. */
    public LaunchSignature signature() {
        return transfers.isPresent()
                ? LaunchSignature.ofMessages(description)
                : LaunchSignature.of(description, places);
    }

    /** Eight bytes that are equal on all ranks that make the same launch; asked only by the search for a fault. */
    public long fingerprint() {
        LongSupplier ofSeveral = fingerprint;
        return ofSeveral == null ? signature().fingerprint() : ofSeveral.getAsLong();
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
     * Whether a launch has ended; of a replay, only whether all have, and for good. Waits for nobody who asks a driver.
     * Under a monitor: what is looked at is freed only after {@link #end}.
     */
    synchronized boolean isEnded(long number) {
        Progress known = progress;
        return known == null || (number != REPLAY && known.isEnded(number));
    }

    /** The plan that is launched; empty if all launches have ended, and for good. */
    synchronized Optional<Object> plan() {
        return Optional.ofNullable(progress).map(Progress::plan);
    }

    /**
     * The messages of a launch in flight that have not moved yet. Waits for nobody who asks a driver, and looks only at
     * what is not freed, as {@link #isEnded}.
     */
    synchronized List<PendingTransfer> pending(long number) {
        Progress known = progress;
        if (known == null) {
            return List.of();
        }
        return number == REPLAY ? known.pendingOfReplay() : known.pending();
    }

    /** The messages of the operation's launch in flight that have not moved yet. Waits for nobody who asks a driver. */
    public List<PendingTransfer> pending() {
        synchronized (this) {
            Progress known = progress;
            return known == null ? List.of() : known.pending();
        }
    }

    /**
     * Whether some launch of the operation's plan is at work: 0 if none is. Of several operations that are launched as
     * one, a number that changes where the next of them begins, or the next round of one. Empty if the driver does not
     * answer within the patience.
     */
    public Optional<Long> askAtWork(Duration patience) {
        return atWork.ask(patience);
    }

    /**
     * See {@link Progress#ofAnybodyAtWork}; 0 if all launches have ended, and for good. May call a driver, and so never
     * return.
     */
    long ofAnybodyAtWork() {
        synchronized (looking) {
            Progress known = progress;
            return known == null ? 0 : known.ofAnybodyAtWork();
        }
    }

    /** See {@link Progress#behind}. May call a driver, and so never return. */
    List<Integer> behind() {
        synchronized (looking) {
            Progress known = progress;
            return known == null ? List.of() : known.behind();
        }
    }

    private long atWork() {
        long begun = begun();
        return several ? begun : Math.min(begun, 1);
    }

    private long begun() {
        synchronized (looking) {
            Progress known = progress;
            return known == null ? 0 : known.atWork();
        }
    }
}
