package org.mscclj.runtime.recorder;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * Records the last launches of a communicator on one rank. Recording allocates nothing and waits for no other thread;
 * the progress of a launch is found out when a thread inspects it. The launching thread records its launches; any
 * thread may inspect them. Launches that not all ranks make, such as point-to-point transfers, are kept separately:
 * they have no number that other ranks know.
 */
public final class FlightRecorder {
    /** Timeout for drivers. A driver answers at once, or is stuck; a thread may be delayed on a busy machine. */
    public static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final LaunchOrder order;
    private final CoarseClock clock;
    private final Duration timeout;
    private final RecordedLaunches shared;
    private final RecordedLaunches messages;
    private final CapturedOperations captured = new CapturedOperations();
    private final DriverQuestion<List<ForeignLaunch>> foreign = new DriverQuestion<>(captured::atWork);
    private final long firstNanos = System.nanoTime();
    private final Instant firstTime = Instant.now();

    /** The longest time that any launch was given, in nanoseconds. Written by the launching thread. */
    private volatile long longestMayTakeNanos;

    /**
     * Creates an empty recorder.
     *
     * @param entries number of launches of all ranks that are kept, and of point-to-point launches, too; 0 for none
     */
    public FlightRecorder(int entries, LaunchOrder order, AbortFlag abort) {
        this(entries, order, abort, CoarseClock.OF_PROCESS, TIMEOUT);
    }

    /** Creates a recorder with the test's clock, and the test's timeout for drivers. */
    FlightRecorder(int entries, LaunchOrder order, AbortFlag abort, CoarseClock clock, Duration timeout) {
        this.order = order;
        this.clock = clock;
        this.timeout = timeout;
        this.shared = new RecordedLaunches(entries, order::shared, order::endedShared, clock);
        this.messages = new RecordedLaunches(entries, order::alone, order::endedAlone, clock);
        abort.beforeSet(() -> {
            shared.aborting();
            messages.aborting();
        });
    }

    /** Returns whether launches are recorded. */
    public boolean isOn() {
        return shared.entries() > 0;
    }

    /**
     * Records a launch that was just enqueued and that all ranks make.
     *
     * @param number the launch's number among the launches of the operation; {@link RecordedOperation#REPLAY} for the
     *     replay of a graph
     * @param sequence its position among the launches of the communicator
     * @param mayTakeNanos time that it may take, whatever holds for others; 0 if it has no time of its own
     */
    public void enqueued(RecordedOperation operation, long number, long sequence, long mayTakeNanos) {
        noteLongest(mayTakeNanos);
        if (isOn()) {
            shared.put(sequence, operation, number, sequence, mayTakeNanos);
        }
    }

    /**
     * Records a point-to-point launch that was just enqueued.
     *
     * @param number the launch's number among the launches of the operation; {@link RecordedOperation#REPLAY} for the
     *     replay of a graph
     * @param position its position among the communicator's point-to-point launches on this rank
     * @param sharedSoFar number of launches of all ranks that this rank had made before
     * @param mayTakeNanos time that it may take, whatever holds for others; 0 if it has no time of its own
     */
    public void enqueuedMessages(
            RecordedOperation operation, long number, long position, long sharedSoFar, long mayTakeNanos) {
        noteLongest(mayTakeNanos);
        if (isOn()) {
            messages.put(position, operation, number, sharedSoFar, mayTakeNanos);
        }
    }

    /**
     * Records a launch that was just enqueued.
     *
     * @param alone whether only some ranks make it, as with point-to-point transfers
     * @param number the launch's number among the launches of the operation; {@link RecordedOperation#REPLAY} for the
     *     replay of a graph
     * @param ticket its position among all launches of this rank
     * @param sequence its position among the launches that all ranks make, or that of the last such launch before
     * @param mayTakeNanos time that it may take, whatever holds for others; 0 if it has no time of its own
     */
    public void launched(
            RecordedOperation operation, boolean alone, long number, long ticket, long sequence, long mayTakeNanos) {
        if (alone) {
            enqueuedMessages(operation, number, ticket - sequence, sequence, mayTakeNanos);
        } else {
            enqueued(operation, number, sequence, mayTakeNanos);
        }
    }

    /**
     * Records that a graph may have launches of an operation. Each may take this many nanoseconds, whatever holds for
     * others; 0 if it has no time of its own.
     */
    public void captured(RecordedOperation operation, long mayTakeNanos) {
        captured.add(operation, mayTakeNanos);
    }

    /**
     * Returns the launches at work that graphs may have. They are foreign ones if no launch of this rank's own is in
     * flight. Does not ask the driver if nothing was captured.
     *
     * @return empty if the driver does not answer within the timeout
     * @throws RuntimeException an error of the driver
     */
    public Optional<List<ForeignLaunch>> foreignAtWork(Duration timeout) {
        return captured.areThere() ? foreign.ask(timeout) : Optional.of(List.of());
    }

    private void noteLongest(long mayTakeNanos) {
        if (mayTakeNanos > longestMayTakeNanos) {
            longestMayTakeNanos = mayTakeNanos;
        }
    }

    /**
     * Returns the time that a launch may take, in nanoseconds, whatever holds for others; 0 if it has no time of its
     * own. For a launch that is forgotten, returns the longest time that any launch was given.
     */
    public long mayTakeNanos(LaunchPlace place) {
        RecordedLaunches kind = place.messages() ? messages : shared;
        LaunchRing.Slot slot = kind.get(place.number());
        if (slot != null) {
            return slot.mayTakeNanos();
        }
        return kind.isForgotten(place.number()) ? longestMayTakeNanos : 0;
    }

    /** Returns the number of launches made that all ranks make, which excludes point-to-point launches. */
    public long taken() {
        return shared.taken();
    }

    /** Returns the number of launches of all ranks that have ended. */
    public long ended() {
        return shared.ended();
    }

    /** Returns the number of launches of all ranks that have ended, without the ones that ended because of an abort. */
    public long completed() {
        return shared.completed();
    }

    /** Returns the first launch of this rank that has not ended; empty if all have. */
    public Optional<LaunchPlace> firstInFlight() {
        long sequence = shared.ended() + 1;
        long message = messages.ended() + 1;
        if (message <= messages.taken()) {
            LaunchRing.Slot slot = messages.get(message);
            long before = slot == null ? sharedBefore(message) : slot.shared();
            if (before < sequence) { // a forgotten launch was made long ago
                return Optional.of(new LaunchPlace(true, message));
            }
        }
        return sequence <= shared.taken() ? Optional.of(new LaunchPlace(false, sequence)) : Optional.empty();
    }

    /**
     * Returns the number of launches of all ranks that this rank had made before a point-to-point launch that is not
     * recorded yet, or no longer; −1 if that is forgotten.
     */
    private long sharedBefore(long message) {
        long taken = order.taken();
        for (long ticket = order.endedCount() + 1; ticket <= taken; ticket++) {
            long sharedSoFar = order.sharedUpTo(ticket);
            if (ticket - sharedSoFar == message && sharedSoFar == order.sharedUpTo(ticket - 1)) {
                return sharedSoFar;
            }
        }
        return -1;
    }

    /**
     * Returns a number that changes whenever a launch ends, if too many launches are in flight to know which ones have
     * ended; 0 if that is known.
     */
    public long uncountedEnds() {
        long all = order.endedCount();
        return order.sharedUpTo(all) >= 0 ? 0 : all;
    }

    /** Returns whether {@link #look} does anything. */
    public boolean isPolled() {
        return order.isPolled();
    }

    /**
     * Finds out which launches have ended for which no thread waits, such as replays of graphs. May call a driver, and
     * so never return; throws errors of the driver.
     */
    public void look() {
        order.look();
    }

    /**
     * Returns the time at which a launch was enqueued, or some milliseconds before, as of {@link System#nanoTime}. If
     * this process was stopped meanwhile, returns the time at which it went on. Empty if the launch was not recorded,
     * or is forgotten.
     */
    public Optional<Long> enqueuedNanos(LaunchPlace place) {
        return Optional.ofNullable(slot(place)).map(slot -> clock.latest(slot.enqueuedNanos()));
    }

    /** Describes a launch that all ranks make; see {@link #describe(LaunchPlace)}. */
    public Optional<String> describe(long sequence) {
        return describe(new LaunchPlace(false, sequence));
    }

    /**
     * Returns eight bytes that distinguish a launch of all ranks from others; 0 if it was not recorded, or is
     * forgotten.
     */
    public long fingerprint(long sequence) {
        LaunchRing.Slot slot = slot(new LaunchPlace(false, sequence));
        return slot == null ? 0 : slot.operation().fingerprint();
    }

    /** Describes a launch; empty if it was not recorded, or is forgotten. Does not block. */
    public Optional<String> describe(LaunchPlace place) {
        return Optional.ofNullable(slot(place)).map(slot -> slot.operation().describe());
    }

    /**
     * Returns whether a launch is at work: 0 if it is not. For several operations that a graph launches as one, returns
     * a number that changes when the next operation begins, or the next round of one. Empty if the driver does not
     * answer within the timeout. Throws errors of the driver.
     */
    public Optional<Long> atWork(LaunchPlace place, Duration timeout) {
        LaunchRing.Slot slot = slot(place);
        return slot == null ? Optional.of(0L) : slot.operation().askAtWork(timeout);
    }

    /**
     * Returns the point-to-point transfers of a launch in flight that have not moved yet; empty if the launch was not
     * recorded, or is forgotten. Does not block.
     */
    public Optional<List<PendingTransfer>> pending(LaunchPlace place) {
        return Optional.ofNullable(slot(place)).map(LaunchRing.Slot::pending);
    }

    /** Returns the peers of point-to-point transfers in flight that have not moved yet. Does not block. */
    public List<Integer> awaited(LaunchPlace place) {
        return pending(place).orElseGet(List::of).stream()
                .map(PendingTransfer::peer)
                .distinct()
                .toList();
    }

    private LaunchRing.@Nullable Slot slot(LaunchPlace place) {
        return (place.messages() ? messages : shared).get(place.number());
    }

    /**
     * Returns the launches that are kept, in their order, including point-to-point launches. Asks drivers for their
     * progress; a driver that fails, or does not answer, leaves that unknown.
     */
    public List<RecordedLaunch> launches() {
        return launches(new DriverBudget(timeout));
    }

    /** Returns the launches like {@link #launches()}, and waits for drivers no longer than the budget. */
    public List<RecordedLaunch> launches(DriverBudget drivers) {
        List<RecordedLaunch> launches = new ArrayList<>();
        look(shared, false, drivers, launches);
        look(messages, true, drivers, launches);
        launches.sort(
                Comparator.comparingLong(RecordedLaunch::shared)); // stable: transfers follow the launch before them
        return launches;
    }

    private void look(RecordedLaunches kind, boolean ofMessages, DriverBudget drivers, List<RecordedLaunch> launches) {
        long taken = kind.taken();
        long ended = kind.ended();
        for (long sequence = Math.max(1, taken - kind.entries() + 1); sequence <= taken; sequence++) {
            LaunchRing.Slot slot = kind.get(sequence);
            if (slot != null) {
                LaunchState state;
                Optional<String> unknown = Optional.empty();
                try {
                    state = kind.look(sequence, slot, ended, drivers);
                    if (state == LaunchState.UNKNOWN) {
                        unknown = Optional.of("its device does not answer");
                    }
                } catch (RuntimeException | Error e) {
                    state = LaunchState.UNKNOWN;
                    unknown = Optional.of(String.valueOf(e.getMessage()));
                }
                launches.add(new RecordedLaunch(
                        new LaunchPlace(ofMessages, sequence),
                        slot.shared(),
                        slot.operation().description(),
                        slot.operation().describe(),
                        slot.operation().transfers(),
                        slot.isReplay(),
                        state,
                        unknown,
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
