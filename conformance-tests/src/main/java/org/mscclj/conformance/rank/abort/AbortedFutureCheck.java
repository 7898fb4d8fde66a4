package org.mscclj.conformance.rank.abort;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.api.error.AbortedException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Futures;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.task.RunningClock;

/**
 * Checks an abort by the last rank, which does not call: the futures of the other ranks end in time, with the reason.
 */
final class AbortedFutureCheck implements RankCheck {
    private static final String REASON = "conformance: aborted while futures wait";

    @Override
    public void check(RankContext context) {
        if (context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "there is no rank to wait for");
            return;
        }
        try (Communicator communicator = context.second();
                CaseBuffers buffers = CaseBuffers.allocate(communicator, context.test())) {
            buffers.fill(new CaseData(context.test()));
            CollectiveCall call = RankContext.call(context.test(), buffers.input(), buffers.output());
            context.join(communicator.execute(call)); // later calls of this signature wait for no rank
            if (context.rank() == context.test().world() - 1) {
                context.communicator().barrier();
                communicator.abort(REASON);
            } else {
                Work work = communicator.execute(call);
                CompletableFuture<Void> future = work.toCompletableFuture();
                context.communicator().barrier();
                requireAborted(context, future);
                endAborted(context, work);
            }
            context.communicator().barrier();
        }
    }

    private static void requireAborted(RankContext context, CompletableFuture<Void> future) {
        long start = RunningClock.nanoTime();
        Throwable failure = Futures.failure(future, context.timeout()).orElse(null);
        FaultLimit.require(context, "ending a future by an abort", Duration.ofNanos(RunningClock.nanoTime() - start));
        if (!(failure instanceof AbortedException aborted)
                || !String.valueOf(aborted.getMessage()).contains(REASON)) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "an abort has ended a future with " + failure + "; right is AbortedException with the reason");
        }
    }

    /** The launch uses its buffers until then. */
    private static void endAborted(RankContext context, Work work) {
        try {
            context.join(work);
            context.report(FindingKind.BEHAVIOUR, "an aborted operation was joined as if all were right");
        } catch (AbortedException expected) {
            return; // expected
        }
    }
}
