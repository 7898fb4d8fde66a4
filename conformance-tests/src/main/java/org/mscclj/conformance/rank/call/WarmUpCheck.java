package org.mscclj.conformance.rank.call;

import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.api.option.WarmUp;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks a class that ranks set up before its first call. All ranks but the last make that call and return from it
 * before the last rank makes it, and the result is correct. The ranks notify the last rank by another communicator, so
 * that no traffic of the checked communicator can count as its call.
 */
final class WarmUpCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        TestCase test = context.test().registered(false);
        boolean last = context.rank() == test.world() - 1;
        CaseData data = new CaseData(test);
        try (Communicator warmed = context.second();
                CaseBuffers buffers = CaseBuffers.allocate(warmed, test)) {
            buffers.fill(data);
            long bytes = Math.max(buffers.input().byteSize(), buffers.output().byteSize());
            warmed.warmUp(List.of(new WarmUp(
                    test.collective(), test.type(), test.op().kind(), test.root(), test.inPlace(), 2 * bytes)));
            Communicator telling = context.communicator();
            telling.barrier();
            if (last) {
                telling.barrier();
            }
            Work work = warmed.execute(RankContext.call(test, buffers.input(), buffers.output()));
            if (!last) {
                telling.barrier();
            }
            context.join(work);
            new ResultCheck(context, test, data, buffers).check();
        }
    }
}
