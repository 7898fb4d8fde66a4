package org.mscclj.runtime.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.recorder.DriverQuestion;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.ForeignLaunch;

/**
 * Looks, for one communicator's rank, at what nobody was told of: replays of its launches by other software. When such
 * a launch was enqueued is not known, so its time counts from when it was first seen at work, and it is late after the
 * shorter limit. Used by the watchdog's thread.
 */
final class ForeignWatch {
    private final FlightRecorder recorder;
    private final long limitNanos;
    private Optional<ForeignLaunch> current = Optional.empty();
    private long since;

    /**
     * Of a rank at which nobody has looked yet.
     *
     * @param limitNanos how long a launch may be at work that was given no time of its own
     */
    ForeignWatch(FlightRecorder recorder, long limitNanos) {
        this.recorder = recorder;
        this.limitNanos = limitNanos;
    }

    /**
     * Looks once, while no launch of this rank's own is in flight.
     *
     * @param now as of {@link System#nanoTime}
     * @param answer what is at work now; empty if the driver does not answer, as while a thread waits in it to launch
     *     more: what was seen counts on then
     * @return what is late
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

    /** How long the launch that was seen last has been at work, in nanoseconds. */
    long atWorkFor(long now) {
        return now - since;
    }

    /** What was seen is forgotten: a launch of this rank's own is in flight. */
    void reset() {
        current = Optional.empty();
    }

    /** Whether a launch is still at work, as far as is known. Asks the driver. */
    boolean isAtWork(ForeignLaunch launch, Duration patience) {
        return recorder.foreignAtWork(patience)
                .map(all -> all.stream().anyMatch(launch::is))
                .orElse(true);
    }

    /** Why a launch does not end. Waits for what ranks answer, and for the driver, a second at most for each. */
    Blame blame(ControlPlane control, ForeignLaunch launch, Duration patience) {
        if (launch.isOfMessages()) {
            return Blame.ofMessages(control, recorder, launch.pending());
        }
        List<Integer> behind =
                new DriverQuestion<>(launch::behind).ask(patience).orElseGet(List::of);
        return new Blame(
                behind,
                behind.isEmpty()
                        ? "all ranks whose counters can be seen from here have begun it"
                        : RankNames.of(behind) + (behind.size() == 1 ? " has" : " have") + " not begun it");
    }
}
