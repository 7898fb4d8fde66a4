package org.mscclj.conformance.rank.graph;

import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks one graph with launches of two communicators on two branches. One of the launches is a call that was not
 * prepared.
 */
final class GraphBranchesCheck implements RankCheck {
    private static final int ROUNDS = 4;

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
                Stream branch = communicator.device().createStream();
                Event begun = communicator.device().createEvent();
                Event ended = communicator.device().createEvent();
                PreparedOperation operation =
                        communicator.prepare(RankContext.call(test, buffers.input(), buffers.output()));
                Graph graph = capture(test, others, branch, begun, ended, operation, second)) {
            context.meetBeforeReplays();
            for (int round = 0; round < ROUNDS; round++) { // all rounds: another rank may have no findings, and wait
                TestCase one = test.seed(test.seed() + 2L * round);
                TestCase two = test.seed(test.seed() + 2L * round + 1);
                CaseData dataOfOne = new CaseData(one);
                CaseData dataOfTwo = new CaseData(two);
                buffers.fill(dataOfOne);
                others.fill(dataOfTwo);
                graph.launch(communicator.stream());
                context.synchronize(communicator.stream());
                if (!context.hasFindings()) {
                    new ResultCheck(context, one, dataOfOne, buffers).check();
                    new ResultCheck(context, two, dataOfTwo, others).check();
                }
            }
        }
    }

    private static Graph capture(
            TestCase test,
            CaseBuffers others,
            Stream branch,
            Event begun,
            Event ended,
            PreparedOperation operation,
            Communicator second) {
        Stream main = second.stream();
        return main.capture(() -> {
            main.record(begun);
            branch.await(begun);
            operation.launch(branch);
            second.execute(RankContext.call(test, others.input(), others.output()));
            branch.record(ended);
            main.await(ended);
        });
    }
}
