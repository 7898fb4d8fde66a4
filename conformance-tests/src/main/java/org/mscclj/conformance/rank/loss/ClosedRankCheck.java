package org.mscclj.conformance.rank.loss;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks the last rank, which closes its communicator. Calls and operations in flight that wait for it report this rank
 * within the limit, and the communicator is not aborted.
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
            context.join(communicator.execute(call)); // later calls of this signature wait for no rank
            context.run(operation); // the last rank closes it when its own launch has ended
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
                context.communicator().barrier(); // so that no other rank closes earlier
                operation.close(); // closing it ends the communicator
                ClosedRank.requireTold(context, "an operation that another one's end has ended", last, work::join);
            }
        }
    }
}
