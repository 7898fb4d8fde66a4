package org.mscclj.conformance.rank.graph;

import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks the order of a launch, a graph on another stream that reads its output, and a second such graph on a third
 * stream, without a join or an event between them. The operation is a maximum, and the maximum of maxima is the
 * maximum, so all three must give one result.
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
            for (int round = 0; round < ROUNDS; round++) { // all rounds: another rank may have no findings, and wait
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
