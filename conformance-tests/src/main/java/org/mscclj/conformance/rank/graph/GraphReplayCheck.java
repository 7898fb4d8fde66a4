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
 * Checks replays of a graph between other launches. The replays run on another stream than the launches, each on new
 * data.
 */
final class GraphReplayCheck implements RankCheck {
    private static final int ROUNDS = 6;

    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), test);
                Stream other = context.communicator().device().createStream();
                PreparedOperation operation =
                        context.communicator().prepare(RankContext.call(test, buffers.input(), buffers.output()));
                Graph graph = other.capture(() -> operation.launch(other))) {
            context.meetBeforeReplays();
            for (int round = 0; round < ROUNDS; round++) { // all rounds: another rank may have no findings, and wait
                TestCase next = test.seed(test.seed() + round);
                CaseData data = new CaseData(next);
                buffers.fill(data);
                if (round % 3 == 0) {
                    context.run(operation);
                } else {
                    graph.launch(other);
                    context.synchronize(other);
                }
                if (!context.hasFindings()) {
                    new ResultCheck(context, next, data, buffers).check();
                }
            }
        }
    }
}
