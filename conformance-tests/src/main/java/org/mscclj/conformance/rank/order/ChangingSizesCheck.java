package org.mscclj.conformance.rank.order;

import java.util.List;
import org.mscclj.api.Work;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks calls of one collective whose sizes change each time, by the convenience call, which sets up each call only
 * once.
 */
final class ChangingSizesCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        long n = test.count();
        int launch = 0;
        for (long count : List.of(n, n / 2 + 1, 2 * n + 3, 1L, n, 0L, 2 * n + 3, n / 2 + 1)) {
            TestCase next = test.count(count).seed(test.seed() + ++launch);
            CaseData data = new CaseData(next);
            try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), next)) {
                buffers.fill(data);
                Work work = context.communicator().execute(RankContext.call(next, buffers.input(), buffers.output()));
                try {
                    work.join(context.timeout());
                } catch (OperationTimeoutException e) {
                    context.communicator().abort("conformance: timed out in " + next.line());
                    throw e;
                }
                if (!context.hasFindings()) { // another rank may have no findings, and continue
                    new ResultCheck(context, next, data, buffers).check();
                }
            }
        }
    }
}
