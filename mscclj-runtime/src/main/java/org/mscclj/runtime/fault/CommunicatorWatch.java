package org.mscclj.runtime.fault;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.DurationText;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.dump.RankDump;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.recorder.DriverQuestion;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.ForeignLaunch;
import org.mscclj.runtime.recorder.LaunchPlace;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Watches one communicator's rank for the {@link Watchdog}. If a launch is late, this class ends the communicator, so
 * that joining throws {@link org.mscclj.api.error.OperationTimeoutException} on all ranks. The communicator holds a
 * reference to this object; the watchdog does not.
 */
public final class CommunicatorWatch implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CommunicatorWatch.class.getName());
    private static final int LOOKS_WITHIN_A_LIMIT = 8;
    private static final long MIN_PAUSE_NANOS = 5_000_000;
    private static final long MAX_PAUSE_NANOS = 1_000_000_000;

    /**
     * Number of successive failures after which the device has failed for good. A single failure may come from a
     * capture, or from a stream that the application destroys.
     */
    private static final int FAILURES_FOR_GOOD = 2;

    /**
     * Timeout of a question to the driver. A driver answers at once, or is stuck, as while a thread waits in it to
     * launch. Other communicators need not wait for it: a late answer counts at the next check.
     */
    private static final Duration TIMEOUT = Duration.ofMillis(100);

    /** Timeout of the last question before a launch is declared late. No other communicator waits for this one. */
    private static final Duration LAST_TIMEOUT = Duration.ofSeconds(1);

    /** The recorder's times may be too early by as long as its clock stands still on a busy machine. */
    static final long SLACK_NANOS = 20_000_000;

    private final CommunicatorIdentity identity;
    private final ControlPlane control;
    private final FlightRecorder recorder;
    private final AbortFlag abort;
    private final WatchdogLimits limits;
    private final Executor inquiries;
    private final Duration timeout;
    private final DriverQuestion<Boolean> lookAtDevice;
    private final DriverQuestion<Boolean> lastLookAtDevice;
    private final AtomicBoolean expiring = new AtomicBoolean();
    private final long pauseNanos;
    private final ForeignWatch foreign;

    /** Whether the start of a launch matters. Finding the start may call a driver. */
    private final boolean looksForStart;

    /**
     * The first launch that had not ended at the last check, with the time since when it is the first, and the time
     * since when it was seen at work.
     */
    private Optional<LaunchPlace> current = Optional.empty();

    private long currentEnds;
    private long currentSince;
    private long currentMayTakeNanos;

    /** Number of successive checks in which the device has failed. */
    private int failedLooks;

    /** Result of the current check for the device: whether it has answered, and the last failure. */
    private boolean answered;

    private @Nullable BackendException failure;

    /**
     * Time at which a launch with more time than others was first seen to have ended. The launches behind it have
     * waited without fault.
     */
    private Optional<Long> heldUpUntil = Optional.empty();

    private Optional<Long> startedSince = Optional.empty();

    /** Number of the graph's part that was at work then; see {@link FlightRecorder#atWork}. */
    private long startedNumber;

    /** Creates the watch of a rank. The watchdog does not watch the rank yet. */
    public CommunicatorWatch(
            CommunicatorIdentity identity,
            ControlPlane control,
            FlightRecorder recorder,
            AbortFlag abort,
            WatchdogLimits limits) {
        this(identity, control, recorder, abort, limits, CommunicatorWatch::inquire, TIMEOUT);
    }

    /** Creates a watch with the test's threads that ask other ranks, and the test's timeout for the device. */
    CommunicatorWatch(
            CommunicatorIdentity identity,
            ControlPlane control,
            FlightRecorder recorder,
            AbortFlag abort,
            WatchdogLimits limits,
            Executor inquiries,
            Duration timeout) {
        this.inquiries = inquiries;
        Supplier<Boolean> looking = () -> {
            recorder.look();
            return true;
        };
        this.timeout = timeout;
        this.lookAtDevice = new DriverQuestion<>(looking);
        this.lastLookAtDevice = new DriverQuestion<>(looking);
        this.identity = identity;
        this.control = control;
        this.recorder = recorder;
        this.abort = abort;
        this.limits = limits;
        this.looksForStart = nanos(limits.sinceStart()) < nanos(limits.sinceEnqueue());
        long shorterNanos = Math.min(nanos(limits.sinceEnqueue()), nanos(limits.sinceStart()));
        this.foreign = new ForeignWatch(recorder, shorterNanos);
        this.pauseNanos = Math.clamp(shorterNanos / LOOKS_WITHIN_A_LIMIT, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
    }

    private static void inquire(Runnable task) {
        Thread.ofPlatform().daemon().name("mscclj-late").start(task);
    }

    private static long nanos(Optional<Duration> limit) {
        return limit.map(TimeUnit.NANOSECONDS::convert).orElse(Long.MAX_VALUE);
    }

    /** Returns the communicator's name. */
    public String name() {
        return identity.name();
    }

    /** Returns this rank. */
    public int rank() {
        return control.rank();
    }

    /** Returns the dump of this rank's launches, for fault diagnosis. */
    public RankDump dump() {
        return new RankDump(identity, control.rank(), recorder, abort, control::openCall);
    }

    /** Returns the time that may pass between two checks, in nanoseconds. */
    long pauseNanos() {
        return pauseNanos;
    }

    /**
     * Checks the launches, and ends the communicator if a launch is late or its device has failed. A launch is late
     * only if it was the first that had not ended at the previous check, too: this process may have been stopped.
     *
     * @param now as of {@link System#nanoTime}
     */
    void look(long now) {
        if (abort.isSet()) {
            current = Optional.empty();
            return;
        }
        answered = false;
        failure = null;
        if (recorder.isPolled()) {
            Optional<Boolean> _ = askDevice(() -> lookAtDevice.ask(timeout));
        }
        Optional<LaunchPlace> first = recorder.firstInFlight();
        long ends = recorder.uncountedEnds();
        boolean sameAsBefore = first.equals(current) && ends == currentEnds;
        if (sameAsBefore && first.isPresent()) {
            lookForStart(first.get(), now);
        }
        lookForForeign(first.isEmpty(), now);
        if (hasFailedForGood()) {
            current = Optional.empty();
            return;
        }
        if (!sameAsBefore) {
            if (currentMayTakeNanos > nanos(limits.sinceEnqueue())) {
                heldUpUntil = Optional.of(now);
            }
            current = first;
            currentEnds = ends;
            currentMayTakeNanos = first.map(recorder::mayTakeNanos).orElse(0L);
            currentSince = now;
            startedSince = Optional.empty();
        } else if (first.isPresent()) {
            look(first.get(), now);
        }
    }

    private <T> Optional<T> askDevice(Supplier<Optional<T>> question) {
        try {
            Optional<T> answer = question.get();
            answered |= answer.isPresent();
            return answer;
        } catch (BackendException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            cannotLook(Level.WARNING, e);
        }
        return Optional.empty();
    }

    private void cannotLook(Level level, Throwable e) {
        LOGGER.log(level, "cannot look at the device of " + name() + ", rank " + control.rank(), e);
    }

    /**
     * Returns whether the device has failed in two successive checks. It has then failed for good: it completes no
     * launch any more, and no other thread may notice.
     */
    private boolean hasFailedForGood() {
        BackendException heard = failure;
        if (heard == null) {
            failedLooks = answered ? 0 : failedLooks; // without an answer, earlier failures still count
            return false;
        }
        failedLooks++;
        if (failedLooks < FAILURES_FOR_GOOD) {
            cannotLook(Level.INFO, heard);
            return false;
        }
        failed(heard);
        return true;
    }

    /**
     * Ends the communicator, since its device on this rank has failed. Does not block, and does not call the device.
     */
    public void failed(BackendException device) {
        String inFlight = recorder.firstInFlight()
                .map(place -> "; its first launch in flight is " + place
                        + recorder.describe(place).map(text -> ", " + text).orElse(""))
                .orElse("");
        abort.fail(
                name() + ", rank " + control.rank() + ": its device has failed: " + device.getMessage() + inFlight
                        + "; the communicator is aborted, and can only be closed",
                device);
    }

    private void lookForStart(LaunchPlace first, long now) {
        if (!looksForStart) {
            return;
        }
        long atWork =
                askDevice(() -> recorder.atWork(first, timeout)).orElse(startedSince.isPresent() ? startedNumber : 0L);
        if (atWork == 0) {
            startedSince = Optional.empty(); // the device runs another part of the graph
        } else if (startedSince.isEmpty() || atWork != startedNumber) {
            startedSince = Optional.of(now);
            startedNumber = atWork;
        }
    }

    /** Checks for launches of other software: work that runs while no launch of this rank is in flight. */
    private void lookForForeign(boolean nothingElse, long now) {
        if (!nothingElse) {
            foreign.reset();
            return;
        }
        Optional<List<ForeignLaunch>> atWork = askDevice(() -> recorder.foreignAtWork(timeout));
        foreign.look(now, atWork).ifPresent(late -> expire(late, foreign.atWorkFor(now)));
    }

    private void look(LaunchPlace first, long now) {
        currentMayTakeNanos =
                Math.max(currentMayTakeNanos, recorder.mayTakeNanos(first)); // it is recorded after the launch
        Optional<Long> recorded = recorder.enqueuedNanos(first);
        long waited = now - recorded.orElse(currentSince);
        long slack = recorded.isPresent() ? SLACK_NANOS : 0;
        long counted = Math.min(waited, heldUpUntil.map(since -> now - since).orElse(Long.MAX_VALUE));
        if (counted - slack >= Math.max(nanos(limits.sinceEnqueue()), currentMayTakeNanos)) {
            expire(first, waited, "it was enqueued");
        } else if (startedSince.isPresent()
                && now - startedSince.get() >= Math.max(nanos(limits.sinceStart()), currentMayTakeNanos)) {
            expire(first, now - startedSince.get(), "it began");
        }
    }

    private void expire(ForeignLaunch late, long waitedNanos) {
        expire(() -> {
            Blame blame = blame(() -> foreign.blame(control, late, LAST_TIMEOUT));
            if (isAtWork(late)) {
                expire(
                        "a launch by other software, of a graph with " + late.describe(),
                        waitedNanos,
                        "it was seen at work",
                        blame);
            }
        });
    }

    private boolean isAtWork(ForeignLaunch late) {
        try {
            return foreign.isAtWork(late, LAST_TIMEOUT);
        } catch (RuntimeException | Error e) { // the next check meets it, and ends the communicator if it stays
            cannotLook(Level.INFO, e);
            return false;
        }
    }

    private void expire(LaunchPlace late, long waitedNanos, String since) {
        expire(() -> askAndExpire(late, waitedNanos, since));
    }

    /**
     * Asks in a separate thread: the watchdog does not wait for answers of ranks, since other communicators may be
     * late, too.
     */
    private void expire(Runnable asking) {
        if (!expiring.compareAndSet(false, true)) {
            return;
        }
        Runnable task = () -> {
            try {
                asking.run();
            } finally {
                expiring.set(false);
            }
        };
        try {
            inquiries.execute(task);
        } catch (RuntimeException | Error _) { // no thread can be started
            task.run();
        }
    }

    private static Blame blame(Supplier<Blame> asking) {
        try {
            return asking.get();
        } catch (RuntimeException | Error e) {
            return new Blame(List.of(), "what the ranks do could not be found out: " + e);
        }
    }

    private void askAndExpire(LaunchPlace late, long waitedNanos, String since) {
        Blame blame = blame(() -> Blame.of(control, recorder, late));
        if (recorder.isPolled()) {
            try {
                Optional<Boolean> _ = lastLookAtDevice.ask(LAST_TIMEOUT);
            } catch (RuntimeException | Error e) { // the launch is late, whatever the answer is
                cannotLook(Level.INFO, e);
            }
        }
        if (!recorder.firstInFlight().equals(Optional.of(late))) {
            return; // it has ended while this thread asked other ranks
        }
        expire(late + recorder.describe(late).map(text -> ", " + text).orElse(""), waitedNanos, since, blame);
    }

    private void expire(String late, long waitedNanos, String since, Blame blame) {
        abort.expire(
                name() + ", rank " + control.rank() + ": " + late + ": not ended after "
                        + DurationText.of(Duration.ofMillis(waitedNanos / 1_000_000)) + ", counted from when " + since
                        + "; "
                        + (blame.description().isEmpty() ? "" : blame.description() + "; ")
                        + "the communicator is aborted, and can only be closed",
                blame.ranks());
    }

    @Override
    public void close() {
        EventRecorder.closes(this::dump);
        Watchdog.OF_PROCESS.remove(this);
    }
}
