package org.mscclj.conformance.rank.order;

import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks two operations, launched without a join between them, of which the second reads what the first writes. The
 * operation is a maximum, and the maximum of maxima is the maximum, so both must give one result.
 */
final class OrderCheck implements RankCheck {
    private static final int ROUNDS = 8;

    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        try (CaseBuffers first = CaseBuffers.allocate(context.communicator(), test);
                CaseBuffers second = CaseBuffers.allocate(context.communicator(), test);
                PreparedOperation one =
                        context.communicator().prepare(RankContext.call(test, first.input(), first.output()));
                PreparedOperation other =
                        context.communicator().prepare(RankContext.call(test, first.output(), second.output()))) {
            for (int round = 0; round < ROUNDS && !context.hasFindings(); round++) {
                TestCase next = test.seed(test.seed() + round);
                CaseData data = new CaseData(next);
                first.fill(data);
                second.fill(data);
                one.launch();
                other.launch();
                context.join(other);
                new ResultCheck(context, next, data, second).check();
                context.join(one);
            }
        }
    }
}
