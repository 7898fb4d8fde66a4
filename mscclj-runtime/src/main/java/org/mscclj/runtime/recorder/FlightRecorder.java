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
 * The last launches of a communicator on one rank. Recording allocates nothing and waits for nobody; how far a launch
 * is, is found out when somebody looks. Launches are recorded by the thread that makes them; any thread may look.
 * Messages, which not all ranks launch, are kept apart: they have no number that other ranks know.
 */
public final class FlightRecorder {
    /** Drivers answer at once, or are stuck; a thread may come late on a busy machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(1);

    private final LaunchOrder order;
    private final CoarseClock clock;
    private final Duration patience;
    private final RecordedLaunches shared;
    private final RecordedLaunches messages;
    private final CapturedOperations captured = new CapturedOperations();
    private final DriverQuestion<List<ForeignLaunch>> foreign = new DriverQuestion<>(captured::atWork);
    private final long firstNanos = System.nanoTime();
    private final Instant firstTime = Instant.now();

    /** The longest time that any launch was given. Written by the thread that launches. */
    private volatile long longestMayTakeNanos;

    /**
     * An empty recorder.
     *
     * @param entries how many launches are kept, and as many of messages; 0 for none
     */
    public FlightRecorder(int entries, LaunchOrder order, AbortFlag abort) {
        this(entries, order, abort, CoarseClock.OF_PROCESS, PATIENCE);
    }

    /** With a clock of a test's, and its patience with drivers. */
    FlightRecorder(int entries, LaunchOrder order, AbortFlag abort, CoarseClock clock, Duration patience) {
        this.order = order;
        this.clock = clock;
        this.patience = patience;
        this.shared = new RecordedLaunches(entries, order::shared, order::endedShared, clock);
        this.messages = new RecordedLaunches(entries, order::alone, order::endedAlone, clock);
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
     * @param number the launch's number among those of the operation; {@link RecordedOperation#REPLAY} for the replay
     *     of a graph
     * @param sequence its position among those of the communicator
     * @param mayTakeNanos how long it may take, whatever holds for others; 0 if it was given no time of its own
     */
    public void enqueued(RecordedOperation operation, long number, long sequence, long mayTakeNanos) {
        noteLongest(mayTakeNanos);
        if (isOn()) {
            shared.put(sequence, operation, number, sequence, mayTakeNanos);
        }
    }

    /**
     * Records messages that were just enqueued.
     *
     * @param number the launch's number among those of the operation; {@link RecordedOperation#REPLAY} for the replay
     *     of a graph
     * @param position its position among the communicator's launches of messages on this rank
     * @param sharedSoFar launches that all ranks make which this rank had made before
     * @param mayTakeNanos how long they may take, whatever holds for others; 0 if they were given no time of their own
     */
    public void enqueuedMessages(
            RecordedOperation operation, long number, long position, long sharedSoFar, long mayTakeNanos) {
        noteLongest(mayTakeNanos);
        if (isOn()) {
            messages.put(position, operation, number, sharedSoFar, mayTakeNanos);
        }
    }

    /**
     * Records what was just enqueued.
     *
     * @param alone whether only some ranks launch it, as they do messages
     * @param number the launch's number among those of the operation; {@link RecordedOperation#REPLAY} for the replay
     *     of a graph
     * @param ticket its position among all launches of this rank
     * @param sequence its position among the launches that all ranks make, or that of the last such launch before
     * @param mayTakeNanos how long it may take, whatever holds for others; 0 if it was given no time of its own
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
     * Notes that a graph may have launches of an operation, each of which may take so long, whatever holds for others;
     * 0 if it was given no time of its own.
     */
    public void captured(RecordedOperation operation, long mayTakeNanos) {
        captured.add(operation, mayTakeNanos);
    }

    /**
     * The launches at work that graphs may have: foreign ones, if none of this rank's own is in flight. Does not ask
     * the driver where nothing was captured.
     *
     * @return empty if the driver does not answer within the patience
     * @throws RuntimeException what the driver says
     */
    public Optional<List<ForeignLaunch>> foreignAtWork(Duration patience) {
        return captured.areThere() ? foreign.ask(patience) : Optional.of(List.of());
    }

    private void noteLongest(long mayTakeNanos) {
        if (mayTakeNanos > longestMayTakeNanos) {
            longestMayTakeNanos = mayTakeNanos;
        }
    }

    /**
     * How long a launch may take, whatever holds for others; 0 if it was given no time of its own. Of one that is
     * forgotten, the longest that any was given.
     */
    public long mayTakeNanos(LaunchPlace place) {
        RecordedLaunches kind = place.messages() ? messages : shared;
        LaunchRing.Slot slot = kind.get(place.number());
        if (slot != null) {
            return slot.mayTakeNanos();
        }
        return kind.isForgotten(place.number()) ? longestMayTakeNanos : 0;
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
            long before = slot == null ? sharedBefore(message) : slot.shared();
            if (before < sequence) { // what is forgotten was made long ago
                return Optional.of(new LaunchPlace(true, message));
            }
        }
        return sequence <= shared.taken() ? Optional.of(new LaunchPlace(false, sequence)) : Optional.empty();
    }

    /**
     * How many launches of all ranks this rank had made before messages that are not recorded yet, or no more; −1 if
     * that is forgotten.
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
     * Changes whenever a launch ends, where so many are in flight that it is not known which ones have ended; 0 where
     * that is known.
     */
    public long uncountedEnds() {
        long all = order.endedCount();
        return order.sharedUpTo(all) >= 0 ? 0 : all;
    }

    /** Whether {@link #look} does anything. */
    public boolean isLookedAt() {
        return order.isLookedAt();
    }

    /**
     * Finds out which launches have ended for which nobody waits, as replays of graphs. May call a driver, and so never
     * return; throws what that says.
     */
    public void look() {
        order.look();
    }

    /**
     * When a launch was enqueued, or some milliseconds before, as of {@link System#nanoTime}; if this process was
     * stopped meanwhile, when it went on. Empty if the launch was not recorded, or is forgotten.
     */
    public Optional<Long> enqueuedNanos(LaunchPlace place) {
        return Optional.ofNullable(slot(place)).map(slot -> clock.latest(slot.enqueuedNanos()));
    }

    /** What a launch was that all ranks make; see {@link #words(LaunchPlace)}. */
    public Optional<String> words(long sequence) {
        return words(new LaunchPlace(false, sequence));
    }

    /** Eight bytes that tell a launch that all ranks make from others; 0 if it was not recorded, or is forgotten. */
    public long fingerprint(long sequence) {
        LaunchRing.Slot slot = slot(new LaunchPlace(false, sequence));
        return slot == null ? 0 : slot.operation().fingerprint();
    }

    /** What a launch was; empty if it was not recorded, or is forgotten. Does not block. */
    public Optional<String> words(LaunchPlace place) {
        return Optional.ofNullable(slot(place)).map(slot -> slot.operation().words());
    }

    /**
     * Whether a launch is at work: 0 if it is not. Of several operations that a graph launches as one, a number that
     * changes where the next of them begins, or the next round of one. Empty if its driver does not answer within the
     * patience. Throws what that says.
     */
    public Optional<Long> atWork(LaunchPlace place, Duration patience) {
        LaunchRing.Slot slot = slot(place);
        return slot == null ? Optional.of(0L) : slot.operation().askAtWork(patience);
    }

    /**
     * The messages of a launch in flight that have not moved yet; empty if the launch was not recorded, or is
     * forgotten. Does not block.
     */
    public Optional<List<PendingTransfer>> pending(LaunchPlace place) {
        return Optional.ofNullable(slot(place)).map(LaunchRing.Slot::pending);
    }

    /** The ranks at the other ends of messages in flight that have not moved yet. Does not block. */
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
     * The launches that are kept, in their order, messages as well. Asks drivers how far they are; one that fails, or
     * does not answer, leaves that unknown.
     */
    public List<RecordedLaunch> launches() {
        return launches(new DriverPatience(patience));
    }

    /** Likewise, and waits for drivers no longer than told. */
    public List<RecordedLaunch> launches(DriverPatience drivers) {
        List<RecordedLaunch> launches = new ArrayList<>();
        look(shared, false, drivers, launches);
        look(messages, true, drivers, launches);
        launches.sort(
                Comparator.comparingLong(RecordedLaunch::shared)); // stable: messages come after the launch before them
        return launches;
    }

    private void look(
            RecordedLaunches kind, boolean ofMessages, DriverPatience drivers, List<RecordedLaunch> launches) {
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
                        slot.operation().words(),
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
