package org.mscclj.conformance.rank.abort;

import java.time.Duration;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.AbortedException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.task.RunningClock;

/**
 * Checks an abort by the last rank, which does not launch, while the others wait: each rank that waits gets an
 * exception in time, and so does every later call.
 */
final class AbortCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test());
                PreparedOperation operation = context.communicator()
                        .prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            buffers.fill(new CaseData(context.test()));
            if (context.rank() == context.test().world() - 1) {
                Pause.of(AbortChecks.UNTIL_ALL_WAIT);
                context.communicator().abort("conformance: this rank aborts on purpose");
            } else {
                joinAborted(context, operation);
            }
            refuseLaterCalls(context);
        }
    }

    private static void joinAborted(RankContext context, PreparedOperation operation) {
        long start = RunningClock.nanoTime();
        try {
            operation.run(context.timeout());
            context.report(FindingKind.BEHAVIOUR, "an aborted operation ended as if all were right");
        } catch (AbortedException expected) {
            FaultLimit.require(
                    context, "an abort", Duration.ofNanos(RunningClock.nanoTime() - start), AbortChecks.UNTIL_ALL_WAIT);
        }
    }

    private static void refuseLaterCalls(RankContext context) {
        if (!context.communicator().isAborted()) {
            context.report(FindingKind.BEHAVIOUR, "isAborted is false after an abort");
        }
        try {
            context.communicator().barrier();
            context.report(FindingKind.BEHAVIOUR, "a call after an abort was accepted; right is AbortedException");
        } catch (AbortedException expected) {
            return; // expected
        }
    }
}
