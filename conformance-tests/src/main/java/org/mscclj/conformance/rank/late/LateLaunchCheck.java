package org.mscclj.conformance.rank.late;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks a last rank that does not launch within the communicator's timeout. The timeout ends the communicator. Every
 * call on every rank, also on the late rank itself, then names the late rank within the limit.
 */
final class LateLaunchCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        int away = context.test().world() - 1;
        if (away == 0) {
            context.report(FindingKind.NO_PART, "there is no rank to wait for");
            return;
        }
        Duration latest = latest(context);
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, context.test());
                PreparedOperation operation =
                        communicator.prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            buffers.fill(new CaseData(context.test()));
            communicator.barrier();
            if (context.rank() == away) {
                if (!Pause.until(communicator::isAborted, latest)) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "no rank has ended the communicator within " + DurationText.of(latest));
                }
            } else {
                operation.launch();
                requireNamed(context, "joining", away, () -> operation.join(latest));
            }
            requireNamed(context, "a later call", away, communicator::barrier);
        }
    }

    /**
     * Returns how long a rank waits for the late launch to be reported. A machine that stalls may add the timeout of an
     * operation. {@code mscclj stress} measures the delay on an idle machine.
     */
    static Duration latest(RankContext context) {
        Duration timeout = context.communicator().timeout();
        return timeout.plus(timeout.dividedBy(8)).plus(context.timeout());
    }

    /** Requires that a call names the rank that did not launch, and no other rank. */
    static void requireNamed(RankContext context, String what, int away, Runnable call) {
        try {
            call.run();
            context.report(
                    FindingKind.BEHAVIOUR,
                    what + " ended as if all were right although rank " + away + " had not launched");
        } catch (OperationTimeoutException e) {
            if (!e.missingRanks().equals(List.of(away))) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + away + " did not launch, but " + what + " names ranks " + e.missingRanks() + ": "
                                + e.getMessage());
            }
        }
    }
}
