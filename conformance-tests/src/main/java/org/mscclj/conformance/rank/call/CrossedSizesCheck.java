package org.mscclj.conformance.rank.call;

import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks calls of new sizes on two communicators, of classes that are set up on both. Odd ranks make the calls in the
 * opposite order of the communicators.
 */
final class CrossedSizesCheck implements RankCheck {
    private static final int ROUNDS = 6;

    /** Elements by which the calls of a round are smaller than those of the round before. */
    private static final long SMALLER = 11;

    @Override
    public void check(RankContext context) {
        Communicator first = context.communicator();
        TestCase test = context.test();
        try (Communicator second = context.second();
                CaseBuffers ofFirst = CaseBuffers.allocate(first, test);
                CaseBuffers ofSecond = CaseBuffers.allocate(second, test)) {
            context.join(execute(first, test, ofFirst, new CaseData(test)));
            context.join(execute(second, test, ofSecond, new CaseData(test)));
            for (int round = 1; round <= ROUNDS && !context.hasFindings(); round++) {
                long count = test.count() - SMALLER * round;
                TestCase one = test.count(count).seed(test.seed() + 2L * round);
                TestCase two = test.count(count).seed(test.seed() + 2L * round + 1);
                CaseData dataOfOne = new CaseData(one);
                CaseData dataOfTwo = new CaseData(two);
                boolean odd = context.rank() % 2 == 1;
                try (CaseBuffers buffersOfOne = ofFirst.within(one);
                        CaseBuffers buffersOfTwo = ofSecond.within(two)) {
                    Work before = odd
                            ? execute(second, two, buffersOfTwo, dataOfTwo)
                            : execute(first, one, buffersOfOne, dataOfOne);
                    Work after = odd
                            ? execute(first, one, buffersOfOne, dataOfOne)
                            : execute(second, two, buffersOfTwo, dataOfTwo);
                    context.join(before);
                    context.join(after);
                    new ResultCheck(context, one, dataOfOne, buffersOfOne).check();
                    new ResultCheck(context, two, dataOfTwo, buffersOfTwo).check();
                }
            }
        }
    }

    private static Work execute(Communicator communicator, TestCase test, CaseBuffers buffers, CaseData data) {
        buffers.fill(data);
        return communicator.execute(RankContext.call(test, buffers.input(), buffers.output()));
    }
}
