package org.mscclj.conformance.rank.abort;

import java.util.Optional;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks the failure of a communicator: it is empty while the communicator is usable. After an abort it is the reason,
 * as a value, also when the communicator is closed.
 */
final class FailureCheck implements RankCheck {
    private static final String REASON = "conformance: why it has ended";

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.second();
        try (communicator) {
            communicator.failure().ifPresent(failure -> report(context, "a communicator that works", failure));
            context.communicator().barrier();
            if (context.rank() == 0) {
                communicator.abort(REASON);
            }
            if (!Pause.until(communicator::isAborted, FaultLimit.of(context))) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "an abort was not heard of within " + DurationText.of(FaultLimit.of(context)));
                communicator.abort(REASON);
            }
            requireReason(context, "an aborted communicator", communicator.failure());
        }
        requireReason(context, "an aborted communicator that is closed", communicator.failure());
        context.communicator().barrier();
    }

    private static void requireReason(RankContext context, String what, Optional<MsccljException> failure) {
        boolean right = failure.filter(AbortedException.class::isInstance)
                .filter(aborted -> String.valueOf(aborted.getMessage()).contains(REASON))
                .isPresent();
        if (!right) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "the failure of " + what + " is " + failure + "; right is an AbortedException with \"" + REASON
                            + '"');
        }
    }

    private static void report(RankContext context, String what, MsccljException failure) {
        context.report(FindingKind.BEHAVIOUR, "the failure of " + what + " is " + failure + "; right is none");
    }
}
