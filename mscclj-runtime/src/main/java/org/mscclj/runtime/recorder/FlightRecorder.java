package org.mscclj.runtime.recorder;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * The last launches of a communicator on one rank. Recording allocates nothing and waits for nobody; how far a launch is, is found out when somebody
 * looks. Launches are recorded by the thread that makes them; any thread may look.
 */
public final class FlightRecorder {
    private final LaunchOrder order;
    private final LaunchRing ring;
    private final Observations observations;
    private final long firstNanos = System.nanoTime();
    private final Instant firstTime = Instant.now();

    /** Written by the thread that launches. */
    private volatile long longestTimeoutNanos;

    /** Launches that had ended when the communicator was aborted. */
    private volatile long endedBeforeAbort = Long.MAX_VALUE;

    /**
     * An empty recorder.
     *
     * @param entries how many launches are kept; 0 for none
     */
    public FlightRecorder(int entries, LaunchOrder order, AbortFlag abort) {
        this.order = order;
        this.ring = new LaunchRing(entries);
        this.observations = new Observations(entries);
        abort.beforeSet(() -> endedBeforeAbort = ended());
    }

    /** Whether launches are recorded. */
    public boolean isOn() {
        return ring.entries() > 0;
    }

    /**
     * Records what was just enqueued.
     *
     * @param number the launch's number among those of the operation
     * @param sequence its position among those of the communicator
     */
    public void enqueued(RecordedOperation operation, long number, long sequence) {
        if (ring.entries() > 0) {
            ring.put(sequence, operation, number, System.nanoTime());
        }
    }

    /** Says that a launch to come may take so long before somebody complains. Called by the thread that launches. */
    public void mayTake(Duration timeout) {
        longestTimeoutNanos = Math.max(longestTimeoutNanos, TimeUnit.NANOSECONDS.convert(timeout));
    }

    /** The longest time that a launch may take, of those that were named; 0 if none was. */
    public long longestTimeoutNanos() {
        return longestTimeoutNanos;
    }

    /** Number of launches made that all ranks make: which messages are not. */
    public long taken() {
        return order.shared();
    }

    /**
     * Number of launches that have ended. Launches end in their order. Some engines find out only when somebody waits, so those that are recorded are asked.
     */
    public long ended() {
        long known = Math.max(0, order.endedCount() - order.alone());
        for (long sequence = taken(); sequence > known; sequence--) {
            LaunchRing.Slot slot = ring.get(sequence);
            if (slot != null && slot.isEnded()) {
                return sequence;
            }
        }
        return known;
    }

    /** Finds out which launches have ended for which nobody waits, as replays of graphs. May call a driver. */
    public void look() {
        order.look();
    }

    /** Number of launches that have ended, and not because of an abort. */
    public long completed() {
        return Math.min(ended(), endedBeforeAbort);
    }

    /** When a launch was enqueued, as of {@link System#nanoTime}; empty if it was not recorded, or is forgotten. */
    public Optional<Long> enqueuedNanos(long sequence) {
        return Optional.ofNullable(ring.get(sequence)).map(LaunchRing.Slot::enqueuedNanos);
    }

    /** What a launch was; empty if it was not recorded, as replays of graphs are not, or is forgotten. Does not block. */
    public Optional<String> words(long sequence) {
        return Optional.ofNullable(ring.get(sequence))
                .map(slot -> slot.operation().description().toString());
    }

    /** Whether a launch is at work. May call a driver. */
    public boolean isUnderWay(long sequence) {
        LaunchRing.Slot slot = ring.get(sequence);
        return slot != null && slot.operation().isUnderWay();
    }

    /** The launches that are kept, in their order. May call a driver. */
    public List<RecordedLaunch> launches() {
        long taken = taken();
        long ended = ended();
        List<RecordedLaunch> launches = new ArrayList<>();
        for (long sequence = Math.max(1, taken - ring.entries() + 1); sequence <= taken; sequence++) {
            LaunchRing.Slot slot = ring.get(sequence);
            if (slot != null) {
                launches.add(look(sequence, slot, ended));
            }
        }
        return launches;
    }

    private RecordedLaunch look(long sequence, LaunchRing.Slot slot, long ended) {
        LaunchState state = state(sequence, slot, ended);
        if (state == LaunchState.STARTED) {
            observations.started(sequence, System.nanoTime());
        } else if (state != LaunchState.ENQUEUED) {
            observations.ended(sequence, System.nanoTime());
        }
        return new RecordedLaunch(
                sequence,
                slot.operation().description(),
                state,
                time(slot.enqueuedNanos()),
                observations.startedNanos(sequence).map(this::time),
                observations.endedNanos(sequence).map(this::time));
    }

    private LaunchState state(long sequence, LaunchRing.Slot slot, long ended) {
        if (sequence > endedBeforeAbort) {
            return LaunchState.FAILED;
        }
        if (sequence <= ended) {
            return LaunchState.COMPLETED;
        }
        // launches of a communicator run one after the other
        return sequence == ended + 1 && slot.operation().isUnderWay() ? LaunchState.STARTED : LaunchState.ENQUEUED;
    }

    private Instant time(long nanos) {
        return firstTime.plusNanos(nanos - firstNanos);
    }
}
