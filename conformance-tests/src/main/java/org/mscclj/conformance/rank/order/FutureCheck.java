package org.mscclj.conformance.rank.order;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Futures;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks futures while the last rank calls late. Futures of the other ranks do not end before. One exception is a call
 * with a shorter timeout: its future ends and names the missing rank. The operation continues, also where a future was
 * cancelled. When the last rank has called, the futures end normally.
 */
final class FutureCheck implements RankCheck {
    private static final Duration SHORT = Duration.ofMillis(100);

    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        try (Communicator communicator = context.second();
                CaseBuffers buffers = CaseBuffers.allocate(communicator, context.test())) {
            CaseData data = new CaseData(context.test());
            buffers.fill(data);
            CollectiveCall call = RankContext.call(context.test(), buffers.input(), buffers.output());
            context.join(communicator.execute(call)); // later calls of this signature wait for no rank
            buffers.fill(data);
            communicator.barrier();
            if (context.rank() == last) {
                context.communicator().barrier();
                complete(context, communicator.execute(call));
                complete(context, communicator.execute(call));
            } else {
                Work hasty = communicator.execute(call.timeout(SHORT));
                Work work = communicator.execute(call);
                CompletableFuture<Void> future = work.toCompletableFuture();
                CompletableFuture<Void> cancelled = work.toCompletableFuture();
                cancelled.cancel(true);
                requireTimeout(context, hasty, last);
                if (future.isDone()) {
                    context.report(
                            FindingKind.BEHAVIOUR, "a future has ended although rank " + last + " had not called");
                }
                context.communicator().barrier();
                Futures.requireEnd(context, future, context.timeout());
                context.join(hasty);
                complete(context, work);
            }
            new ResultCheck(context, context.test(), data, buffers).check();
        }
    }

    private static void complete(RankContext context, Work work) {
        Futures.requireEnd(context, work.toCompletableFuture(), context.timeout());
        context.join(work);
    }

    private static void requireTimeout(RankContext context, Work work, int late) {
        Throwable failure = Futures.failure(work.toCompletableFuture(), SHORT.plus(FaultLimit.of(context)))
                .orElse(null);
        if (!(failure instanceof OperationTimeoutException timeout)
                || !timeout.missingRanks().contains(late)) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "a future of a call that may take " + DurationText.of(SHORT) + ", and for which rank " + late
                            + " does not come, has ended with " + failure
                            + "; right is OperationTimeoutException, which names this rank");
        }
    }
}
