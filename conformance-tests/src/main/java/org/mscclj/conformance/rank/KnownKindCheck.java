package org.mscclj.conformance.rank;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.conformance.scenario.CaseData;

/**
 * The first call of a kind is made on all ranks together. Of a later one all ranks but the last return before that has
 * called, and it is computed likewise. They tell the last rank in another communicator, so that nothing which they do
 * in this one can be taken for it.
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
                        context.communicator().execute(call); // waits for nobody, as the last rank is in the barrier
                telling.barrier();
                context.join(work);
            }
            new ResultCheck(context, context.test(), data, buffers).check();
        }
    }
}
