package org.mscclj.conformance.rank;

import java.time.Duration;
import org.mscclj.api.error.DurationText;

/**
 * How soon ranks must hear of faults, and calls about them return, by {@link org.mscclj.conformance.task.RunningClock}.
 */
final class FaultLimit {
    private static final String HOST = "host";
    private static final Duration OF_HOST = Duration.ofSeconds(1);
    private static final Duration OF_DEVICES = Duration.ofSeconds(2);

    /**
     * So much longer it may take on a machine that does other things at the same time; {@code mscclj stress} measures
     * on a quiet one.
     */
    private static final int LOAD = 3;

    private FaultLimit() {}

    /** The limit for a rank's backend: a second on the CPU, two on devices, times the allowance for load. */
    static Duration of(RankContext context) {
        boolean host = context.communicator().device().backend().equals(HOST);
        return (host ? OF_HOST : OF_DEVICES).multipliedBy(LOAD);
    }

    /** Reports what took longer. */
    static void require(RankContext context, String what, Duration took) {
        require(context, what, took, Duration.ZERO);
    }

    /** Reports what took longer, where something else had to be waited for first. */
    static void require(RankContext context, String what, Duration took, Duration waited) {
        Duration most = of(context).plus(waited);
        if (took.compareTo(most) > 0) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    what + " took " + DurationText.of(took) + "; right is " + DurationText.of(most) + " at most");
        }
    }
}
