package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.error.RankLostException;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.task.DaemonTask;
import org.mscclj.conformance.task.RunningClock;

/** The last rank closes its communicator: whoever waits for it, in a call or for an operation in flight, is told so at once, and the communicator is not aborted. */
final class ClosedRankCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        if (last == 0) {
            context.report(FindingKind.NO_PART, "there is nobody to wait for");
            return;
        }
        try (Communicator communicator = context.second();
                CaseBuffers buffers = CaseBuffers.allocate(communicator, context.test())) {
            buffers.fill(new CaseData(context.test()));
            CollectiveCall call = RankContext.call(context.test(), buffers.input(), buffers.output());
            PreparedOperation operation = communicator.prepare(call);
            context.join(communicator.execute(call)); // other calls of this kind wait for nobody
            context.run(operation); // which the last rank closes when it has ended there, and perhaps nowhere else
            if (context.rank() == last) {
                operation.close();
                closeWhileOthersCall(context, communicator);
            } else {
                operation.launch();
                requireTold(context, "an operation in flight", last, () -> operation.join(context.timeout()));
                Work work = communicator.execute(call);
                requireTold(context, work.toCompletableFuture(), last);
                List<Integer> all = IntStream.rangeClosed(0, last).boxed().toList();
                requireTold(context, "a barrier", last, communicator::barrier);
                requireTold(
                        context,
                        "a split",
                        last,
                        () -> communicator.split(all, "conformance-closed").ifPresent(Communicator::close));
                if (communicator.isAborted()) {
                    context.report(FindingKind.BEHAVIOUR, "a rank that has closed has aborted the communicator");
                }
                context.communicator().barrier(); // so that nobody else closes earlier
                operation.close(); // which ends the communicator
                requireTold(context, "an operation that another one's end has ended", last, work::join);
            }
        }
    }

    /** Where peers write through a transport, closing waits for them to close too. */
    private static void closeWhileOthersCall(RankContext context, Communicator communicator) {
        DaemonTask<Boolean> closing = DaemonTask.start("conformance-close", () -> {
            communicator.close();
            return true;
        });
        context.communicator().barrier();
        if (closing.endsWithin(context.timeout())) {
            closing.result();
        } else {
            context.report(FindingKind.HUNG, "closing did not end although all ranks close");
        }
    }

    private static void requireTold(RankContext context, CompletableFuture<Void> future, int closed) {
        Throwable failure = Futures.failure(future, FaultLimit.of(context)).orElse(null);
        if (!(failure instanceof RankLostException lost) || lost.rank() != closed) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "rank " + closed + " has closed its communicator, but the future of what it has not launched gave "
                            + failure + "; right is RankLostException with that rank");
        }
    }

    private static void requireTold(RankContext context, String what, int closed, Runnable call) {
        long start = RunningClock.nanoTime();
        try {
            call.run();
            context.report(
                    FindingKind.BEHAVIOUR,
                    what + " ended as if all were right although rank " + closed + " has closed its communicator");
        } catch (RankLostException e) {
            if (e.rank() != closed) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + closed + " has closed its communicator, but " + what + " names rank " + e.rank()
                                + ": " + e.getMessage());
            }
        }
        FaultLimit.require(
                context,
                "hearing in " + what + " that a rank has closed",
                Duration.ofNanos(RunningClock.nanoTime() - start));
    }
}
