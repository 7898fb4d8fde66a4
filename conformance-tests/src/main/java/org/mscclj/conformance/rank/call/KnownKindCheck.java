package org.mscclj.conformance.rank.call;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks a call whose signature is already set up. All ranks make the first call together. In a later call, all ranks
 * but the last return from the call before the last rank has called, and the result is correct. The ranks notify the
 * last rank by another communicator, so that no traffic of this communicator can count as its call.
 */
final class KnownKindCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        try (Communicator telling = context.second();
                CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test())) {
            CaseData data = new CaseData(context.test());
            buffers.fill(data);
            CollectiveCall call = RankContext.call(context.test(), buffers.input(), buffers.output());
            context.join(context.communicator().execute(call));
            buffers.fill(data);
            telling.barrier();
            if (context.rank() == context.test().world() - 1) {
                telling.barrier();
                context.join(context.communicator().execute(call));
            } else {
                Work work =
                        context.communicator().execute(call); // waits for no rank, as the last rank is in the barrier
                telling.barrier();
                context.join(work);
            }
            new ResultCheck(context, context.test(), data, buffers).check();
        }
    }
}
