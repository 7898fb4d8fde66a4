package org.mscclj.conformance.rank;

import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * A launch, a graph on another stream that reads what it writes, and a second such graph on a third stream, without a
 * join or an event between them. The greatest of greatest contributions is the greatest, so all must give the same.
 */
final class GraphOrderCheck implements RankCheck {
    private static final int ROUNDS = 8;

    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        try (CaseBuffers first = CaseBuffers.allocate(context.communicator(), test);
                CaseBuffers second = CaseBuffers.allocate(context.communicator(), test);
                CaseBuffers third = CaseBuffers.allocate(context.communicator(), test);
                Stream one = context.communicator().device().createStream();
                Stream other = context.communicator().device().createStream();
                PreparedOperation begin =
                        context.communicator().prepare(RankContext.call(test, first.input(), first.output()));
                PreparedOperation between =
                        context.communicator().prepare(RankContext.call(test, first.output(), second.output()));
                PreparedOperation end =
                        context.communicator().prepare(RankContext.call(test, second.output(), third.output()));
                Graph graphBetween = one.capture(() -> between.launch(one));
                Graph graphEnd = other.capture(() -> end.launch(other))) {
            context.meetBeforeReplays();
            for (int round = 0; round < ROUNDS; round++) { // all of them: another rank may have found nothing, and wait
                TestCase next = test.seed(test.seed() + round);
                CaseData data = new CaseData(next);
                first.fill(data);
                second.fill(data);
                third.fill(data);
                begin.launch();
                graphBetween.launch(one);
                graphEnd.launch(other);
                context.synchronize(other);
                if (!context.hasFindings()) {
                    new ResultCheck(context, next, data, third).check();
                }
            }
        }
    }
}
