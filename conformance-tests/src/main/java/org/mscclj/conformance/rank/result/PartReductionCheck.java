package org.mscclj.conformance.rank.result;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.Launching;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.Opened;

/**
 * Checks variable-size reductions: each part of a list is reduced to its rank. The parts have sizes of their own, 0
 * included. The call runs once by the convenience call, and then as a prepared operation, or by replays.
 */
final class PartReductionCheck implements RankCheck {
    private static final int LAUNCHES = 4;

    /** Returns the case of a part, which is checked as a reduce whose root is its owner. */
    private static TestCase part(TestCase test, int owner, int launch) {
        long count = owner % 3 == 1 ? 0 : test.count() * (owner + 1);
        return test.collective(Collective.REDUCE)
                .root(owner)
                .count(count)
                .seed(test.seed() + (long) launch * test.world() + owner);
    }

    @Override
    public boolean canReplay() {
        return true;
    }

    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        try (Opened opened = new Opened()) {
            List<CaseBuffers> parts = new ArrayList<>();
            for (int owner = 0; owner < test.world(); owner++) {
                parts.add(opened.add(
                        CaseBuffers.allocate(context.communicator(), part(test, owner, 0)), CaseBuffers::close));
            }
            List<DeviceBuffer> inputs = parts.stream().map(CaseBuffers::input).toList();
            ReduceScatterCall call = context.communicator()
                    .variable()
                    .reduceScatter(inputs, parts.get(context.rank()).output(), test.type(), test.op());
            launch(context, parts, 0, () -> context.join(context.communicator().execute(call)));
            try (PreparedOperation operation = context.communicator().prepare(call);
                    Launching launching = Launching.of(context, operation)) {
                for (int launch = 1; launch < LAUNCHES; launch++) {
                    launch(context, parts, launch, launching::run);
                }
            }
        }
    }

    private static void launch(RankContext context, List<CaseBuffers> parts, int launch, Runnable launching) {
        for (int owner = 0; owner < parts.size(); owner++) {
            parts.get(owner).fill(new CaseData(part(context.test(), owner, launch)));
        }
        launching.run();
        for (int owner = 0; owner < parts.size() && !context.hasFindings(); owner++) {
            TestCase part = part(context.test(), owner, launch);
            new ResultCheck(context, part, new CaseData(part), parts.get(owner)).check();
        }
    }
}
