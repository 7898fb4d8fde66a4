package org.mscclj.conformance.rank.result;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.Opened;

/**
 * Makes calls of a large, a medium and a small size of one class in turns, first with prepared operations and then with
 * {@code execute}, and compares each result with the definition: what a call of one size has left in scratch must not
 * pass for data of a later call.
 */
final class AlternatingSizesCheck implements RankCheck {
    /** The calls of a pair of sizes. */
    private static final int CALLS = 6;

    /** The medium call has this part of the elements of the large one, and the small call this part of those. */
    private static final int PART = 8;

    /** One of the sizes. */
    private record Size(TestCase test, CaseBuffers buffers, CollectiveCall call, PreparedOperation operation) {}

    @Override
    public void check(RankContext context) {
        try (Opened opened = new Opened()) {
            TestCase test = context.test();
            CaseBuffers whole = opened.add(CaseBuffers.allocate(context.communicator(), test), CaseBuffers::close);
            List<Size> sizes = new ArrayList<>();
            for (long part : List.of(1, PART, PART * PART)) {
                TestCase smaller = test.count(Math.max(1, test.count() / part));
                CaseBuffers buffers = part == 1 ? whole : opened.add(whole.within(smaller), CaseBuffers::close);
                CollectiveCall call = RankContext.call(smaller, buffers.input(), buffers.output());
                PreparedOperation operation =
                        opened.add(context.communicator().prepare(call), PreparedOperation::close);
                sizes.add(new Size(smaller, buffers, call, operation));
            }
            for (boolean prepared : new boolean[] {true, false}) {
                alternate(context, sizes.get(0), sizes.get(2), prepared);
                alternate(context, sizes.get(0), sizes.get(1), prepared);
                alternate(context, sizes.get(1), sizes.get(2), prepared);
            }
        }
    }

    private static void alternate(RankContext context, Size larger, Size smaller, boolean prepared) {
        for (int i = 0; i < CALLS; i++) { // all calls: another rank may have no findings, and wait
            Size size = i % 2 == 0 ? larger : smaller;
            TestCase launch = size.test.seed(size.test.seed() + i);
            CaseData data = new CaseData(launch);
            size.buffers.fill(data);
            if (prepared) {
                context.run(size.operation);
            } else {
                context.join(context.communicator().execute(size.call));
            }
            if (!context.hasFindings()) {
                new ResultCheck(context, launch, data, size.buffers).check();
            }
        }
    }
}
