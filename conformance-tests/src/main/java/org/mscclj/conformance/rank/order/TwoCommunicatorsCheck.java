package org.mscclj.conformance.rank.order;

import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks two communicators of the ranks with an operation in flight on each; odd ranks launch them in the opposite
 * order.
 */
final class TwoCommunicatorsCheck implements RankCheck {
    private static final int ROUNDS = 8;

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        TestCase test = context.test();
        try (Communicator second = context.second()) {
            check(context, test, communicator, second);
        }
    }

    private static void check(RankContext context, TestCase test, Communicator communicator, Communicator second) {
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, test);
                CaseBuffers others = CaseBuffers.allocate(second, test);
                PreparedOperation operation =
                        communicator.prepare(RankContext.call(test, buffers.input(), buffers.output()));
                PreparedOperation other = second.prepare(RankContext.call(test, others.input(), others.output()))) {
            for (int round = 0; round < ROUNDS && !context.hasFindings(); round++) {
                TestCase one = test.seed(test.seed() + 2L * round);
                TestCase two = test.seed(test.seed() + 2L * round + 1);
                CaseData dataOfOne = new CaseData(one);
                CaseData dataOfTwo = new CaseData(two);
                buffers.fill(dataOfOne);
                others.fill(dataOfTwo);
                boolean secondFirst = context.rank() % 2 == 1;
                (secondFirst ? other : operation).launch();
                (secondFirst ? operation : other).launch();
                context.join(operation);
                context.join(other);
                new ResultCheck(context, one, dataOfOne, buffers).check();
                new ResultCheck(context, two, dataOfTwo, others).check();
            }
        }
    }
}
