package org.mscclj.conformance.rank.call;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.Opened;

/**
 * Checks calls of new sizes, of a class that is already set up. All ranks make the largest call together. Then all
 * ranks but the last make calls of smaller sizes and return from them before the last rank has made the first one, and
 * the results are correct. The ranks notify the last rank by another communicator, so that no traffic of this
 * communicator can count as its call.
 */
final class NewSizesCheck implements RankCheck {
    private static final int SIZES = 12;

    /** Calls of one size. */
    private record Size(TestCase test, CaseData data, CaseBuffers buffers) {}

    @Override
    public void check(RankContext context) {
        boolean last = context.rank() == context.test().world() - 1;
        try (Opened opened = new Opened()) {
            Communicator telling = opened.add(context.second(), Communicator::close);
            List<Size> sizes = sizes(context, opened);
            telling.barrier();
            if (last) {
                telling.barrier();
            }
            List<Work> works = new ArrayList<>();
            for (Size size : sizes) {
                works.add(context.communicator()
                        .execute(RankContext.call(size.test, size.buffers.input(), size.buffers.output())));
            }
            if (!last) {
                telling.barrier();
            }
            works.forEach(context::join);
            for (Size size : sizes) {
                new ResultCheck(context, size.test, size.data, size.buffers).check();
            }
        }
    }

    /** Makes the largest call with the memory of each size, so that the class of its calls is set up. */
    private static List<Size> sizes(RankContext context, Opened opened) {
        List<Size> sizes = new ArrayList<>();
        long count = context.test().count();
        for (int i = 1; i <= SIZES; i++) {
            CaseBuffers buffers =
                    opened.add(CaseBuffers.allocate(context.communicator(), context.test()), CaseBuffers::close);
            buffers.fill(new CaseData(context.test()));
            context.join(context.communicator()
                    .execute(RankContext.call(context.test(), buffers.input(), buffers.output())));
            TestCase smaller = context.test()
                    .count(Math.max(1, count - (count * i) / (2 * SIZES)))
                    .seed(context.test().seed() + i);
            CaseData data = new CaseData(smaller);
            CaseBuffers within = opened.add(buffers.within(smaller), CaseBuffers::close);
            within.fill(data);
            sizes.add(new Size(smaller, data, within));
        }
        return sizes;
    }
}
