package org.mscclj.conformance.rank.abort;

import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/** Checks two ranks that abort one after the other: all ranks report the first reason, the second rank included. */
final class FirstReasonCheck implements RankCheck {
    private static final String FIRST = "conformance: the first reason";
    private static final String SECOND = "conformance: another reason";

    @Override
    public void check(RankContext context) {
        try (Communicator communicator = context.second()) {
            context.communicator().barrier(); // otherwise other ranks may still be opening it
            if (context.rank() == 0) {
                communicator.abort(FIRST);
            }
            if (!Pause.until(communicator::isAborted, FaultLimit.of(context))) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "an abort was not heard of within " + DurationText.of(FaultLimit.of(context)));
                communicator.abort(FIRST);
            }
            context.communicator().barrier();
            if (context.rank() == context.test().world() - 1) {
                communicator.abort(SECOND);
            }
            context.communicator().barrier();
            try {
                communicator.barrier();
                context.report(FindingKind.BEHAVIOUR, "a call after an abort was accepted; right is AbortedException");
            } catch (AbortedException e) {
                String message = String.valueOf(e.getMessage());
                if (!message.contains(FIRST) || message.contains(SECOND)) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "of a communicator that was aborted twice, a later call does not give the first reason, \""
                                    + FIRST + "\": " + message);
                }
            }
        }
    }
}
