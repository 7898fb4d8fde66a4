package org.mscclj.conformance.rank.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks a call on a stream that it names. On all ranks but the last, the stream waits for an operation of another
 * communicator, which the last rank launches late. The call does not end before, and its stream may be closed.
 */
final class StreamOfCallCheck implements RankCheck {
    private static final Duration LATE = Duration.ofMillis(60);

    @Override
    public void check(RankContext context) {
        if (context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "no other rank can delay a stream");
            return;
        }
        boolean last = context.rank() == context.test().world() - 1;
        Communicator communicator = context.communicator();
        CaseData data = new CaseData(context.test());
        try (Communicator second = context.second();
                CaseBuffers buffers = CaseBuffers.allocate(communicator, context.test());
                CaseBuffers others = CaseBuffers.allocate(second, context.test())) {
            buffers.fill(data);
            others.fill(data);
            context.join(communicator.execute(RankContext.call(context.test(), buffers.input(), buffers.output())));
            context.join(second.execute(RankContext.call(context.test(), others.input(), others.output())));
            buffers.fill(data);
            others.fill(data);
            communicator.barrier();
            List<Work> works = new ArrayList<>();
            Work work;
            boolean early = false;
            try (Stream stream = communicator.device().createStream()) {
                if (!last) {
                    Work delayed = second.execute(RankContext.call(context.test(), others.input(), others.output()));
                    delayed.await(stream);
                    works.add(delayed);
                }
                work = communicator.execute(
                        RankContext.call(context.test(), buffers.input(), buffers.output()), stream);
                communicator.barrier();
                if (!last) {
                    Pause.of(LATE);
                    early = work.isCompleted();
                }
                communicator.barrier();
                if (last) {
                    works.add(second.execute(RankContext.call(context.test(), others.input(), others.output())));
                }
            }
            works.add(work);
            works.forEach(context::join);
            if (early) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "a call has ended although the stream that it names waits for an operation that rank "
                                + (context.test().world() - 1) + " had not launched");
            }
            new ResultCheck(context, context.test(), data, buffers).check();
        }
    }
}
