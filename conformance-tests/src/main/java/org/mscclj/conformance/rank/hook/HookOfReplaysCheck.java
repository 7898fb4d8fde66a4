package org.mscclj.conformance.rank.hook;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks a hook around a launch, a captured launch, which has no number, two replays, and another launch. The hook is
 * called with consecutive numbers.
 */
final class HookOfReplaysCheck implements RankCheck {
    private static final int REPLAYS = 2;

    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        Communicator communicator = context.communicator();
        String operation = test.collective().label();
        HookWitness witness = new HookWitness();
        Stream stream = communicator.stream();
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, test);
                PreparedOperation prepared =
                        communicator.prepare(RankContext.call(test, buffers.input(), buffers.output()));
                HookRegistration _ = communicator.addHook(HookWitness.failing());
                HookRegistration _ = communicator.addHook(witness)) {
            long first = launched(context, prepared);
            List<String> right = new ArrayList<>(HookWitness.launch(operation, first));
            try (Graph graph = stream.capture(() -> prepared.launch(stream))) {
                right.addAll(HookWitness.launch(operation, 0));
                context.meetBeforeReplays();
                for (int replay = 1; replay <= REPLAYS; replay++) {
                    graph.launch(stream);
                    right.add(HookWitness.replay(first + replay));
                }
                context.synchronize(stream);
            }
            right.addAll(HookWitness.launch(operation, first + REPLAYS + 1));
            launched(context, prepared);
            witness.require(context, right);
        }
    }

    /** Returns the number of a launch after it has ended. */
    private static long launched(RankContext context, PreparedOperation operation) {
        operation.launch();
        context.join(operation);
        return operation.lastLaunch().sequence();
    }
}
