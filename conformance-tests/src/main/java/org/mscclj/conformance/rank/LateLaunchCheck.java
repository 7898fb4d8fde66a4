package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.scenario.CaseData;

/**
 * The last rank stays away for longer than the communicator waits. That ends the communicator: every rank, the one that
 * stayed away too, is told in time who it was, whatever it calls.
 */
final class LateLaunchCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        int away = context.test().world() - 1;
        if (away == 0) {
            context.report(FindingKind.NO_PART, "there is nobody to wait for");
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
     * How long is waited until it is known that a launch is late: a machine that stalls may add as much as an operation
     * may take. How soon it is known on a quiet one, {@code mscclj stress} measures.
     */
    static Duration latest(RankContext context) {
        Duration timeout = context.communicator().timeout();
        return timeout.plus(timeout.dividedBy(8)).plus(context.timeout());
    }

    /** Requires that a call names the rank that stayed away, and no other. */
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
