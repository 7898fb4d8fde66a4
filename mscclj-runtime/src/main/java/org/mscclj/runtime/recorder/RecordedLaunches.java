package org.mscclj.runtime.recorder;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last launches of one kind: those that all ranks make, or those of messages. Recording allocates nothing after the
 * first launch; any thread may look.
 */
final class RecordedLaunches {
    private final CoarseClock clock;
    private final int entries;
    private final Observations observations;
    private final LongSupplier taken;
    private final LongSupplier knownEnded;

    /** Null until the first launch: most communicators send no messages. Set by the thread that launches. */
    private volatile @Nullable LaunchRing ring;

    /** Launches that had ended when the communicator was aborted. */
    private volatile long endedBeforeAbort = Long.MAX_VALUE;

    /**
     * None yet.
     *
     * @param entries how many are kept
     * @param taken how many were made
     * @param knownEnded how many of them have ended, as far as is known
     * @param clock tells when each is made
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

    /** Whether a launch was made so long ago that it need not be kept any more. */
    boolean isForgotten(long sequence) {
        return sequence <= taken() - entries;
    }

    LaunchRing.@Nullable Slot get(long sequence) {
        LaunchRing known = ring;
        return known == null ? null : known.get(sequence);
    }

    /** How many are kept. */
    int entries() {
        return entries;
    }

    long taken() {
        return taken.getAsLong();
    }

    /**
     * Launches end in their order. Some engines find out only when somebody waits, so those that are recorded are
     * asked.
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

    /** Whatever ends from now on has failed. */
    void aborting() {
        endedBeforeAbort = ended();
    }

    /** How many have ended, and not because of an abort. */
    long completed() {
        return Math.min(ended(), endedBeforeAbort);
    }

    Observations observations() {
        return observations;
    }

    /**
     * How far a launch is, which is noted if nobody has seen it so far before.
     *
     * @param drivers how long a driver may take that is asked
     * @throws RuntimeException what a driver throws that is asked
     */
    LaunchState look(long sequence, LaunchRing.Slot slot, long ended, DriverPatience drivers) {
        LaunchState state = state(sequence, slot, ended, drivers);
        switch (state) {
            case STARTED -> observations.started(sequence, System.nanoTime());
            case COMPLETED, FAILED -> observations.ended(sequence, System.nanoTime());
            case ENQUEUED, UNKNOWN -> {}
        }
        return state;
    }

    private LaunchState state(long sequence, LaunchRing.Slot slot, long ended, DriverPatience drivers) {
        if (sequence > endedBeforeAbort) {
            return LaunchState.FAILED;
        }
        if (sequence <= ended) {
            return LaunchState.COMPLETED;
        }
        // launches of a communicator run one after the other
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
