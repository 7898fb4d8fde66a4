package org.mscclj.runtime.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.recorder.DriverQuestion;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.ForeignLaunch;

/**
 * Checks one communicator's rank for launches of which the runtime is not notified: replays of its launches by other
 * software. The time at which such a launch was enqueued is unknown, so its time counts from when it was first seen at
 * work, and it is late after the shorter limit. Used by the watchdog's thread.
 */
final class ForeignWatch {
    private final FlightRecorder recorder;
    private final long limitNanos;
    private Optional<ForeignLaunch> current = Optional.empty();
    private long since;

    /**
     * Creates the watch of a rank, before the first check.
     *
     * @param limitNanos time that a launch without a time of its own may be at work, in nanoseconds
     */
    ForeignWatch(FlightRecorder recorder, long limitNanos) {
        this.recorder = recorder;
        this.limitNanos = limitNanos;
    }

    /**
     * Checks once, while no launch of this rank's own is in flight.
     *
     * @param now as of {@link System#nanoTime}
     * @param answer launches that are at work now; empty if the driver does not answer, as while a thread waits in it
     *     to launch more: then the time of the launch that was seen last continues to count
     * @return the launch that is late
     */
    Optional<ForeignLaunch> look(long now, Optional<List<ForeignLaunch>> answer) {
        if (answer.isPresent()) {
            Optional<ForeignLaunch> seen = answer.get().stream().findFirst();
            boolean sameAsBefore =
                    seen.isPresent() && current.isPresent() && seen.get().is(current.get());
            if (!sameAsBefore) {
                current = seen;
                since = now;
            }
        }
        return current.filter(launch -> atWorkFor(now) >= Math.max(limitNanos, launch.mayTakeNanos()));
    }

    /** Returns how long the launch that was seen last has been at work, in nanoseconds. */
    long atWorkFor(long now) {
        return now - since;
    }

    /** Forgets the launch that was seen last: a launch of this rank's own is in flight. */
    void reset() {
        current = Optional.empty();
    }

    /** Returns whether a launch is still at work, as far as is known. Asks the driver. */
    boolean isAtWork(ForeignLaunch launch, Duration timeout) {
        return recorder.foreignAtWork(timeout)
                .map(all -> all.stream().anyMatch(launch::is))
                .orElse(true);
    }

    /**
     * Returns the reason why a launch does not end. Waits at most a second for the answers of ranks, and at most a
     * second for the driver.
     */
    Blame blame(ControlPlane control, ForeignLaunch launch, Duration timeout) {
        if (launch.isOfMessages()) {
            return Blame.ofMessages(control, recorder, launch.pending());
        }
        List<Integer> behind = new DriverQuestion<>(launch::behind).ask(timeout).orElseGet(List::of);
        return new Blame(
                behind,
                behind.isEmpty()
                        ? "all ranks whose counters can be seen from here have begun it"
                        : RankNames.of(behind) + (behind.size() == 1 ? " has" : " have") + " not begun it");
    }
}
