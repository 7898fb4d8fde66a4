package org.mscclj.runtime.recorder;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * The last launches of a communicator on one rank. Recording allocates nothing and waits for nobody; how far a launch is, is found out when somebody
 * looks. Launches are recorded by the thread that makes them; any thread may look. Messages, which not all ranks launch, are kept apart: they have no
 * number that other ranks know.
 */
public final class FlightRecorder {
    private final LaunchOrder order;
    private final RecordedLaunches shared;
    private final RecordedLaunches messages;
    private final long firstNanos = System.nanoTime();
    private final Instant firstTime = Instant.now();

    /** Written by the thread that launches. */
    private volatile long longestTimeoutNanos;

    /**
     * An empty recorder.
     *
     * @param entries how many launches are kept, and as many of messages; 0 for none
     */
    public FlightRecorder(int entries, LaunchOrder order, AbortFlag abort) {
        this.order = order;
        this.shared = new RecordedLaunches(entries, order::shared, () -> order.endedCount() - order.alone());
        this.messages = new RecordedLaunches(entries, order::alone, () -> order.endedCount() - order.shared());
        abort.beforeSet(() -> {
            shared.aborting();
            messages.aborting();
        });
    }

    /** Whether launches are recorded. */
    public boolean isOn() {
        return shared.entries() > 0;
    }

    /**
     * Records what was just enqueued, and what all ranks launch.
     *
     * @param number the launch's number among those of the operation
     * @param sequence its position among those of the communicator
     */
    public void enqueued(RecordedOperation operation, long number, long sequence) {
        if (isOn()) {
            shared.put(sequence, operation, number, sequence);
        }
    }

    /**
     * Records messages that were just enqueued.
     *
     * @param number the launch's number among those of the operation
     */
    public void enqueuedMessages(RecordedOperation operation, long number) {
        if (isOn()) {
            messages.put(messages.taken(), operation, number, shared.taken());
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
        return shared.taken();
    }

    /** Number of launches, of those that all ranks make, that have ended. */
    public long ended() {
        return shared.ended();
    }

    /** Number of launches, of those that all ranks make, that have ended, and not because of an abort. */
    public long completed() {
        return shared.completed();
    }

    /** The first launch of this rank that has not ended; empty if all have. */
    public Optional<LaunchPlace> firstInFlight() {
        long sequence = shared.ended() + 1;
        long message = messages.ended() + 1;
        if (message <= messages.taken()) {
            LaunchRing.Slot slot = messages.get(message);
            if (slot == null || slot.shared() < sequence) { // what is forgotten was made long ago
                return Optional.of(new LaunchPlace(true, message));
            }
        }
        return sequence <= shared.taken() ? Optional.of(new LaunchPlace(false, sequence)) : Optional.empty();
    }

    /** Finds out which launches have ended for which nobody waits, as replays of graphs. May call a driver. */
    public void look() {
        order.look();
    }

    /** What the messages are that this rank waits for before it does anything else, in words; empty if it does not wait for any. */
    public Optional<String> messagesInFlight() {
        return firstInFlight().filter(LaunchPlace::messages).flatMap(this::words);
    }

    /** When a launch was enqueued, or some milliseconds before, as of {@link System#nanoTime}; empty if it was not recorded, or is forgotten. */
    public Optional<Long> enqueuedNanos(LaunchPlace place) {
        return Optional.ofNullable(slot(place)).map(LaunchRing.Slot::enqueuedNanos);
    }

    /** What a launch was that all ranks make; see {@link #words(LaunchPlace)}. */
    public Optional<String> words(long sequence) {
        return words(new LaunchPlace(false, sequence));
    }

    /** What a launch was; empty if it was not recorded, as replays of graphs are not, or is forgotten. Does not block. */
    public Optional<String> words(LaunchPlace place) {
        return Optional.ofNullable(slot(place)).map(slot -> slot.operation().words());
    }

    /** Whether a launch is at work. May call a driver. */
    public boolean isUnderWay(LaunchPlace place) {
        LaunchRing.Slot slot = slot(place);
        return slot != null && slot.operation().isUnderWay();
    }

    /** The messages of a launch in flight that have not moved yet. */
    public List<PendingTransfer> pending(LaunchPlace place) {
        LaunchRing.Slot slot = slot(place);
        return slot == null ? List.of() : slot.operation().pending();
    }

    private LaunchRing.@Nullable Slot slot(LaunchPlace place) {
        return (place.messages() ? messages : shared).get(place.number());
    }

    /** The launches that are kept, in their order, messages as well. May call a driver. */
    public List<RecordedLaunch> launches() {
        List<RecordedLaunch> launches = new ArrayList<>();
        look(shared, false, launches);
        look(messages, true, launches);
        launches.sort(
                Comparator.comparingLong(RecordedLaunch::shared)); // stable: messages come after the launch before them
        return launches;
    }

    private void look(RecordedLaunches kind, boolean ofMessages, List<RecordedLaunch> launches) {
        long taken = kind.taken();
        long ended = kind.ended();
        for (long sequence = Math.max(1, taken - kind.entries() + 1); sequence <= taken; sequence++) {
            LaunchRing.Slot slot = kind.get(sequence);
            if (slot != null) {
                LaunchState state = kind.look(sequence, slot, ended);
                launches.add(new RecordedLaunch(
                        new LaunchPlace(ofMessages, sequence),
                        slot.shared(),
                        slot.operation().description(),
                        slot.operation().words(),
                        state,
                        time(slot.enqueuedNanos()),
                        kind.observations().startedNanos(sequence).map(this::time),
                        kind.observations().endedNanos(sequence).map(this::time)));
            }
        }
    }

    private Instant time(long nanos) {
        return firstTime.plusNanos(nanos - firstNanos);
    }
}
