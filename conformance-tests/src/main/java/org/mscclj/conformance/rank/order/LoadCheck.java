package org.mscclj.conformance.rank.order;

import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;

/** Checks many launches in a row without a join: all of them end, and the result of the last one is correct. */
final class LoadCheck implements RankCheck {
    private static final int LAUNCHES = 400;

    @Override
    public void check(RankContext context) {
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test());
                PreparedOperation operation = context.communicator()
                        .prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            CaseData data = new CaseData(context.test());
            buffers.fill(data);
            for (int i = 0; i < LAUNCHES; i++) {
                operation.launch();
            }
            context.join(operation);
            new ResultCheck(context, context.test(), data, buffers).check();
        }
    }
}
