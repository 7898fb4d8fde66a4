package org.mscclj.runtime.recorder;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.signature.BufferLocations;
import org.mscclj.runtime.signature.LaunchSignature;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;

/**
 * The recorder's data of a prepared operation. It outlives the operation without keeping its resources. Safe for use by
 * several threads.
 */
public final class RecordedOperation {
    /**
     * Value in place of a launch's number among the launches of its operation. Replays of graphs have no such number.
     */
    public static final long REPLAY = 0;

    /**
     * Number of low bits that hold the number of the plan's launch, in a number that distinguishes the launches of a
     * graph. The bits above them hold the position in the graph at which the plan is first.
     */
    private static final int BEGUN_BITS = 40;

    private final Supplier<OperationDescription> description;
    private final Object words;
    private final Optional<List<Transfer>> transfers;
    private final BufferLocations places;

    /** Fingerprint of several operations that a graph launches as one. */
    private @Nullable LongSupplier fingerprint;

    private boolean several;

    /** Monitor of a thread that inspects what may call a driver, and so takes long. */
    private final Object looking = new Object();

    private final DriverQuestion<Long> atWork = new DriverQuestion<>(this::atWork);

    /** Written with both monitors held, read with either. */
    private @Nullable Progress progress;

    /** Progress of the launches of an operation. */
    public interface Progress {
        /**
         * Returns whether a launch has ended, by its number among the launches of the operation. Neither blocks nor
         * calls a driver.
         */
        boolean isEnded(long number);

        /**
         * Returns the number of launches of the operation's plan, or rounds of one, that have begun on this rank, if
         * the last of them has not finished; 0 if it has. May call a driver.
         */
        long atWork();

        /** Returns the plan that is launched. Operations of one plan count its launches together. */
        default Object plan() {
            return this;
        }

        /**
         * Returns whether a launch of the operation's plan is at work, whichever software has made it, including other
         * software that replays a graph. 0 if none is; else a number that changes with each launch. May call a driver.
         */
        default long ofAnybodyAtWork() {
            return 0;
        }

        /**
         * Returns the ranks that have begun fewer launches of the operation's plan than this rank, as far as this rank
         * can read. May call a driver.
         */
        default List<Integer> behind() {
            return List.of();
        }

        /**
         * Returns the point-to-point transfers of the launch in flight that have not moved yet; none if the operation
         * moves none. Neither blocks nor calls a driver.
         */
        default List<PendingTransfer> pending() {
            return List.of();
        }

        /**
         * Returns the point-to-point transfers of a replay in flight that have not moved yet; none if the replay has
         * not reached this launch, or is past it.
         */
        default List<PendingTransfer> pendingOfReplay() {
            return List.of();
        }
    }

    /**
     * Creates the record of an operation that can be launched, does not consist of point-to-point transfers, and is
     * named by its description.
     */
    public RecordedOperation(OperationDescription description, Progress progress) {
        this(description, description, Optional.empty(), progress);
    }

    /**
     * Creates the record of an operation that can be launched.
     *
     * @param words object whose string names the operation; converted only for fault diagnosis
     * @param transfers the point-to-point transfers of which each launch consists, possibly none on this rank; empty if
     *     it does not consist of them. The list is not copied
     */
    public RecordedOperation(
            OperationDescription description, Object words, Optional<List<Transfer>> transfers, Progress progress) {
        this(() -> description, words, transfers, BufferLocations.PLAIN, progress);
    }

    /**
     * Creates the record of an operation that can be launched.
     *
     * @param description returns the description; called when it is needed, by any thread
     * @param places locations of its buffers
     */
    public RecordedOperation(
            Supplier<OperationDescription> description,
            Object words,
            Optional<List<Transfer>> transfers,
            BufferLocations places,
            Progress progress) {
        this.description = description;
        this.words = words;
        this.transfers = transfers;
        this.places = places;
        this.progress = progress;
    }

    /**
     * Creates the record of operations that a graph launches as one. Only the order of launches knows when they have
     * ended.
     *
     * @param fingerprint returns the fingerprint of all of them
     * @param all the operations, each of which begins when the one before has ended
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
                    if (begun != 0) { // operations of one plan count alike
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

    /** Returns the description. */
    public OperationDescription description() {
        return description.get();
    }

    /** Returns the signature that ranks compare before they launch it. */
    public LaunchSignature signature() {
        return transfers.isPresent()
                ? LaunchSignature.ofMessages(description())
                : LaunchSignature.of(description(), places);
    }

    /** Returns eight bytes that are equal on all ranks that make an equal launch. Only fault diagnosis calls this. */
    public long fingerprint() {
        LongSupplier ofSeveral = fingerprint;
        return ofSeveral == null ? signature().fingerprint() : ofSeveral.getAsLong();
    }

    /** Describes the operation in words. */
    public String describe() {
        return words.toString();
    }

    /** Returns the point-to-point transfers of which each launch consists; empty if it does not consist of them. */
    public Optional<List<Transfer>> transfers() {
        return transfers;
    }

    /** Marks the end of all launches. When this method returns, their resources may be freed. */
    public void end() {
        synchronized (looking) {
            synchronized (this) {
                progress = null;
            }
        }
    }

    /**
     * Returns whether a launch has ended; for a replay, only whether all launches have ended for good. Does not wait
     * for a thread that asks a driver. Under a monitor: the inspected data is freed only after {@link #end}.
     */
    synchronized boolean isEnded(long number) {
        Progress known = progress;
        return known == null || (number != REPLAY && known.isEnded(number));
    }

    /** Returns the plan that is launched; empty if all launches have ended for good. */
    synchronized Optional<Object> plan() {
        return Optional.ofNullable(progress).map(Progress::plan);
    }

    /**
     * Returns the point-to-point transfers of a launch in flight that have not moved yet. Does not wait for a thread
     * that asks a driver, and reads only data that is not freed, like {@link #isEnded}.
     */
    synchronized List<PendingTransfer> pending(long number) {
        Progress known = progress;
        if (known == null) {
            return List.of();
        }
        return number == REPLAY ? known.pendingOfReplay() : known.pending();
    }

    /**
     * Returns the point-to-point transfers of the operation's launch in flight that have not moved yet. Does not wait
     * for a thread that asks a driver.
     */
    public List<PendingTransfer> pending() {
        synchronized (this) {
            Progress known = progress;
            return known == null ? List.of() : known.pending();
        }
    }

    /**
     * Returns whether some launch of the operation's plan is at work: 0 if none is. For several operations that are
     * launched as one, returns a number that changes when the next operation begins, or the next round of one. Empty if
     * the driver does not answer within the timeout.
     */
    public Optional<Long> askAtWork(Duration timeout) {
        return atWork.ask(timeout);
    }

    /**
     * Calls {@link Progress#ofAnybodyAtWork}; 0 if all launches have ended for good. May call a driver, and so never
     * return.
     */
    long ofAnybodyAtWork() {
        synchronized (looking) {
            Progress known = progress;
            return known == null ? 0 : known.ofAnybodyAtWork();
        }
    }

    /** Calls {@link Progress#behind}. May call a driver, and so never return. */
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
