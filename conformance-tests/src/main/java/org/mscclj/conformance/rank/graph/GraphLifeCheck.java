package org.mscclj.conformance.rank.graph;

import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks lifetimes around graphs. What a graph uses stays alive as long as the graph, also if the application closes it
 * before. Launches of a closed communicator are refused.
 */
final class GraphLifeCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        Communicator communicator = context.communicator();
        Communicator second = context.second();
        try (Stream stream = communicator.device().createStream()) {
            freedWithTheGraph(communicator, test, stream);
            CaseBuffers buffers = CaseBuffers.allocate(second, test);
            Graph graph;
            try (PreparedOperation operation =
                    second.prepare(RankContext.call(test, buffers.input(), buffers.output()))) {
                graph = stream.capture(() -> operation.launch(stream));
            }
            requireInUse(context, buffers);
            CaseData data = new CaseData(test);
            buffers.fill(data);
            context.meetBeforeReplays();
            graph.launch(stream);
            context.synchronize(stream);
            new ResultCheck(context, test, data, buffers).check();
            CaseData inFlight = new CaseData(test.seed(test.seed() + 1));
            buffers.fill(inFlight);
            graph.launch(stream);
            second.close(); // which waits for the replay
            new ResultCheck(context, test.seed(test.seed() + 1), inFlight, buffers).check();
            requireRefusal(context, graph, stream);
            graph.close();
            buffers.close();
        } finally {
            second.close();
        }
    }

    /** Checks that nothing keeps the buffers after the operation and the graph are closed, in this order. */
    private static void freedWithTheGraph(Communicator communicator, TestCase test, Stream stream) {
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, test)) {
            PreparedOperation operation =
                    communicator.prepare(RankContext.call(test, buffers.input(), buffers.output()));
            Graph graph = stream.capture(() -> operation.launch(stream));
            operation.close();
            graph.close();
        }
    }

    private static void requireInUse(RankContext context, CaseBuffers buffers) {
        for (DeviceBuffer buffer : buffers.allocations()) {
            try {
                buffer.close();
                context.report(
                        FindingKind.BEHAVIOUR,
                        "a buffer was closed while a graph uses it; right is InvalidArgumentException");
            } catch (InvalidArgumentException refused) {
                continue; // expected
            }
            return;
        }
    }

    private static void requireRefusal(RankContext context, Graph graph, Stream stream) {
        try {
            graph.launch(stream);
        } catch (InvalidArgumentException refused) {
            return; // expected
        }
        context.report(
                FindingKind.BEHAVIOUR,
                "a graph with launches of a closed communicator could be launched; right is InvalidArgumentException");
    }
}
