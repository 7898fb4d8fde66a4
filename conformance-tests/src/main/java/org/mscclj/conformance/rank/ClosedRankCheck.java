package org.mscclj.conformance.rank;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.conformance.scenario.CaseData;

/**
 * The last rank closes its communicator: whoever waits for it, in a call or for an operation in flight, is told so at
 * once, and the communicator is not aborted.
 */
final class ClosedRankCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        if (ClosedRank.isAlone(context)) {
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
                ClosedRank.closeWhileOthersCall(context, communicator);
            } else {
                operation.launch();
                ClosedRank.requireTold(
                        context, "an operation in flight", last, () -> operation.join(context.timeout()));
                Work work = communicator.execute(call);
                ClosedRank.requireTold(context, work.toCompletableFuture(), last);
                List<Integer> all = IntStream.rangeClosed(0, last).boxed().toList();
                ClosedRank.requireTold(context, "a barrier", last, communicator::barrier);
                ClosedRank.requireTold(
                        context,
                        "a split",
                        last,
                        () -> communicator.split(all, "conformance-closed").ifPresent(Communicator::close));
                ClosedRank.requireNotAborted(context, communicator);
                context.communicator().barrier(); // so that nobody else closes earlier
                operation.close(); // which ends the communicator
                ClosedRank.requireTold(context, "an operation that another one's end has ended", last, work::join);
            }
        }
    }
}
