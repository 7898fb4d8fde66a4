package org.mscclj.runtime.recorder;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last launches of one kind: launches of all ranks, or point-to-point launches. Recording allocates nothing after
 * the first launch; any thread may inspect launches.
 */
final class RecordedLaunches {
    private final CoarseClock clock;
    private final int entries;
    private final Observations observations;
    private final LongSupplier taken;
    private final LongSupplier knownEnded;

    /**
     * Null until the first launch, since most communicators launch no point-to-point transfers. Set by the launching
     * thread.
     */
    private volatile @Nullable LaunchRing ring;

    /** Number of launches that had ended when the communicator was aborted. */
    private volatile long endedBeforeAbort = Long.MAX_VALUE;

    /**
     * Creates an empty record.
     *
     * @param entries number of launches that are kept
     * @param taken returns the number of launches made
     * @param knownEnded returns the number of launches that are known to have ended
     * @param clock clock for the times of launches
     */
    RecordedLaunches(int entries, LongSupplier taken, LongSupplier knownEnded, CoarseClock clock) {
        this.clock = clock;
        this.entries = entries;
        this.observations = new Observations(entries);
        this.taken = taken;
        this.knownEnded = knownEnded;
    }

    void put(long sequence, RecordedOperation operation, long number, long shared, long mayTakeNanos) {
        LaunchRing known = ring;
        if (known == null) {
            known = new LaunchRing(entries);
            ring = known;
        }
        known.put(sequence, operation, number, shared, clock.nanoTime(), mayTakeNanos);
    }

    /** Returns whether more recent launches have displaced a launch, so that it need not be kept any more. */
    boolean isForgotten(long sequence) {
        return sequence <= taken() - entries;
    }

    LaunchRing.@Nullable Slot get(long sequence) {
        LaunchRing known = ring;
        return known == null ? null : known.get(sequence);
    }

    /** Returns the number of launches that are kept. */
    int entries() {
        return entries;
    }

    long taken() {
        return taken.getAsLong();
    }

    /**
     * Returns the number of launches that have ended. Launches end in their order. Some engines notice an end only when
     * a thread waits, so this method asks the recorded launches.
     */
    long ended() {
        long known = knownEnded.getAsLong();
        long made = taken();
        long oldest = Math.max(known, made - entries);
        for (long sequence = made; sequence > oldest; sequence--) {
            LaunchRing.Slot slot = get(sequence);
            if (slot != null && slot.isEnded()) {
                return sequence;
            }
        }
        return known;
    }

    /** Marks the abort: every launch that ends from now on has failed. */
    void aborting() {
        endedBeforeAbort = ended();
    }

    /** Returns the number of launches that have ended, without the ones that ended because of an abort. */
    long completed() {
        return Math.min(ended(), endedBeforeAbort);
    }

    Observations observations() {
        return observations;
    }

    /**
     * Returns the state of a launch, and notes the time if this state is seen for the first time.
     *
     * @param drivers time budget for a driver that is asked
     * @throws RuntimeException thrown by a driver that is asked
     */
    LaunchState look(long sequence, LaunchRing.Slot slot, long ended, DriverBudget drivers) {
        LaunchState state = state(sequence, slot, ended, drivers);
        switch (state) {
            case STARTED -> observations.started(sequence, System.nanoTime());
            case COMPLETED, FAILED -> observations.ended(sequence, System.nanoTime());
            case ENQUEUED, UNKNOWN -> {}
        }
        return state;
    }

    private LaunchState state(long sequence, LaunchRing.Slot slot, long ended, DriverBudget drivers) {
        if (sequence > endedBeforeAbort) {
            return LaunchState.FAILED;
        }
        if (sequence <= ended) {
            return LaunchState.COMPLETED;
        }
        // the launches of a communicator run one after the other
        if (sequence != ended + 1) {
            return LaunchState.ENQUEUED;
        }
        Optional<Long> atWork = slot.operation().askAtWork(drivers.left());
        if (atWork.isEmpty()) {
            return LaunchState.UNKNOWN;
        }
        return atWork.get() != 0 ? LaunchState.STARTED : LaunchState.ENQUEUED;
    }
}
