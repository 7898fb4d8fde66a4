package org.mscclj.runtime.execution.waiting;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.execution.context.CountedLaunches;
import org.mscclj.runtime.execution.context.LaunchContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.fault.Diagnosis;

/**
 * Progress of all ranks with the launch that this rank waits for, for messages about timeouts.
 *
 * @param waits whether this rank's own device has not begun the launch, so that nothing is known of the others' devices
 * @param missing ranks that have not begun the launch
 * @param elsewhere missing ranks that nevertheless have made as many launches as this rank
 * @param unfinished ranks of this node that have launched it and not finished it
 * @param silent ranks of other nodes that do not report whether they have launched it
 * @param diagnosis the activity of each rank
 * @param blamed ranks because of which the launch does not end, as far as is known
 */
record LaunchProgress(
        boolean waits,
        List<Integer> missing,
        List<Integer> elsewhere,
        List<Integer> unfinished,
        List<Integer> silent,
        Diagnosis diagnosis,
        List<Integer> blamed) {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /**
     * Reads the counters of ranks of this node, and asks the ranks. Waits at most a second for their answers, and as
     * long for this rank's device.
     */
    static LaunchProgress find(ExecutionEnvironment environment, LaunchContext context) {
        ControlPlane control = environment.control();
        CountedLaunches counted = context.counted(TIMEOUT).orElseGet(() -> CountedLaunches.none(control.size()));
        List<Integer> late = counted.late();
        List<Integer> unfinished = counted.unfinished();
        List<Integer> unseen = counted.unseen();
        List<Integer> asked = Stream.concat(late.stream(), unseen.stream()).toList();
        Diagnosis diagnosis = Diagnosis.find(control, environment.recorder());
        long current = diagnosis.sequence();
        List<Integer> missing = asked.stream()
                .filter(peer -> late.contains(peer) || launchesOf(peer, diagnosis, current) < current)
                .sorted()
                .toList();
        return new LaunchProgress(
                counted.idle(),
                missing,
                late.stream()
                        .filter(peer -> launchesOf(peer, diagnosis, 0) >= current)
                        .toList(),
                unfinished,
                unseen.stream().filter(diagnosis.silent()::contains).toList(),
                diagnosis,
                diagnosis.blamed(missing));
    }

    private static long launchesOf(int peer, Diagnosis diagnosis, long unknown) {
        LaunchReport report = diagnosis.reports().get(peer);
        return report == null ? unknown : report.launches();
    }

    /** Returns a description for messages. */
    @Override
    public String toString() {
        String calls = diagnosis.toString();
        return calls.isEmpty() ? state() : state() + "; " + calls;
    }

    private String state() {
        if (waits && missing.isEmpty()) {
            return "this rank's device has not begun it, which was enqueued: other work holds it up";
        }
        if (!elsewhere.isEmpty()) {
            return "ranks " + missing + " have not begun it, although ranks " + elsewhere
                    + " have launched as often as this rank: another call in its place, unless earlier work"
                    + " holds them up"
                    + "; all ranks must make the same calls in the same order";
        }
        if (!missing.isEmpty()) {
            return "ranks " + missing + " have not launched it"
                    + (silent.isEmpty() ? "" : ", and ranks " + silent + " do not say whether they have");
        }
        return silent.isEmpty()
                ? "all ranks have launched it, and ranks " + unfinished
                        + " have not finished: the plan may wait for a signal that never comes"
                : "ranks " + silent + " do not say whether they have launched it, all others have, and ranks "
                        + unfinished + " have not finished";
    }
}
