package org.mscclj.runtime.fault;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.dump.RankDump;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.LaunchPlace;
import org.mscclj.spi.engine.AbortFlag;

/**
 * One communicator's rank under the eyes of the {@link Watchdog}. A launch that is late ends the communicator, so that joining throws {@link
 * org.mscclj.api.error.OperationTimeoutException} on all ranks. The communicator keeps this; the watchdog does not.
 */
public final class CommunicatorWatch implements AutoCloseable {
    private static final int LOOKS_WITHIN_A_LIMIT = 8;
    private static final long SHORTEST_PAUSE_NANOS = 5_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    /** The recorder's times may be too early by as long as its clock stands still on a busy machine. */
    static final long SLACK_NANOS = 20_000_000;

    private final String name;
    private final ControlPlane control;
    private final FlightRecorder recorder;
    private final AbortFlag abort;
    private final WatchdogLimits limits;
    private final long pauseNanos;

    /** Whether it matters when a launch began; to find that out may take a driver. */
    private final boolean looksForStart;

    /** The first launch that had not ended when somebody looked last, since when it is that, and since when it was seen at work. */
    private Optional<LaunchPlace> current = Optional.empty();

    private long currentSince;
    private Optional<Long> startedSince = Optional.empty();

    /** A rank that nobody watches yet. */
    public CommunicatorWatch(
            String name, ControlPlane control, FlightRecorder recorder, AbortFlag abort, WatchdogLimits limits) {
        this.name = name;
        this.control = control;
        this.recorder = recorder;
        this.abort = abort;
        this.limits = limits;
        this.looksForStart = nanos(limits.sinceStart()) < nanos(limits.sinceEnqueue());
        this.pauseNanos = Math.clamp(
                Math.min(nanos(limits.sinceEnqueue()), nanos(limits.sinceStart())) / LOOKS_WITHIN_A_LIMIT,
                SHORTEST_PAUSE_NANOS,
                LONGEST_PAUSE_NANOS);
    }

    private static long nanos(Optional<Duration> limit) {
        return limit.map(TimeUnit.NANOSECONDS::convert).orElse(Long.MAX_VALUE);
    }

    /** The communicator's name. */
    public String name() {
        return name;
    }

    /** This rank. */
    public int rank() {
        return control.rank();
    }

    /** What this rank has launched, for who looks for a fault. */
    public RankDump dump() {
        return new RankDump(name, control.rank(), control.size(), recorder, abort);
    }

    /** How long the watchdog may look away. */
    long pauseNanos() {
        return pauseNanos;
    }

    /**
     * Looks, and ends the communicator if a launch is late. A launch is late only if it was the first that had not ended in the look before, too: this
     * process may have been stopped.
     *
     * @param now as of {@link System#nanoTime}
     */
    void look(long now) {
        recorder.look();
        Optional<LaunchPlace> first = abort.isSet() ? Optional.empty() : recorder.firstInFlight();
        if (!first.equals(current)) {
            current = first;
            currentSince = now;
            startedSince = Optional.empty();
        } else if (first.isPresent()) {
            look(first.get(), now);
        }
    }

    private void look(LaunchPlace first, long now) {
        if (looksForStart && startedSince.isEmpty() && recorder.isUnderWay(first)) {
            startedSince = Optional.of(now);
        }
        Optional<Long> recorded = recorder.enqueuedNanos(first);
        long enqueuedSince = recorded.orElse(currentSince);
        long slack = recorded.isPresent() ? SLACK_NANOS : 0;
        long limit = Math.max(nanos(limits.sinceEnqueue()), recorder.longestTimeoutNanos());
        if (now - enqueuedSince - slack >= limit) {
            expire(first, now - enqueuedSince, "it was enqueued");
        } else if (startedSince.isPresent() && now - startedSince.get() >= nanos(limits.sinceStart())) {
            expire(first, now - startedSince.get(), "it began");
        }
    }

    private void expire(LaunchPlace late, long waitedNanos, String since) {
        Blame blame = late.messages()
                ? Blame.ofMessages(control, recorder, recorder.pending(late))
                : Blame.of(Diagnosis.find(control, recorder, late.number()));
        recorder.look();
        if (!recorder.firstInFlight().equals(Optional.of(late))) {
            return; // it has ended while others were asked
        }
        abort.expire(
                name + ", rank " + control.rank() + ": " + late
                        + recorder.words(late).map(words -> ", " + words).orElse("") + ": not ended after "
                        + Duration.ofMillis(waitedNanos / 1_000_000) + ", counted from when " + since + "; "
                        + (blame.words().isEmpty() ? "" : blame.words() + "; ")
                        + "the communicator is aborted, and can only be closed",
                blame.ranks());
    }

    @Override
    public void close() {
        Watchdog.OF_PROCESS.remove(this);
    }
}
