package org.mscclj.conformance.rank;

import java.time.Duration;
import org.mscclj.api.error.DurationText;

/**
 * The time within which ranks must learn of faults, and calls must return after them, measured by
 * {@link org.mscclj.conformance.task.RunningClock}.
 */
public final class FaultLimit {
    private static final String HOST = "host";
    private static final Duration OF_HOST = Duration.ofSeconds(1);
    private static final Duration OF_DEVICES = Duration.ofSeconds(2);

    /** The allowance for a machine that runs other programs, too. {@code mscclj stress} measures on an idle machine. */
    private static final int LOAD = 3;

    private FaultLimit() {}

    /** Returns the limit for a rank's backend: a second on the CPU, two on devices, times the allowance for load. */
    public static Duration of(RankContext context) {
        boolean host = context.communicator().device().backend().equals(HOST);
        return (host ? OF_HOST : OF_DEVICES).multipliedBy(LOAD);
    }

    /** Reports a duration above the limit. */
    public static void require(RankContext context, String what, Duration took) {
        require(context, what, took, Duration.ZERO);
    }

    /** Reports a duration above the limit, which is longer by the time of an expected wait. */
    public static void require(RankContext context, String what, Duration took, Duration waited) {
        Duration most = of(context).plus(waited);
        if (took.compareTo(most) > 0) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    what + " took " + DurationText.of(took) + "; right is " + DurationText.of(most) + " at most");
        }
    }
}
