package org.mscclj.conformance.rank.late;

import java.time.Duration;
import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks late launches. One rank after the other launches later than the others, within the timeout: the others wait,
 * and all results are correct.
 */
final class DelayedRankCheck implements RankCheck {
    private static final Duration DELAY = Duration.ofMillis(60);

    @Override
    public void check(RankContext context) {
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test());
                PreparedOperation operation = context.communicator()
                        .prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            CaseData data = new CaseData(context.test());
            for (int delayed = 0; delayed < context.test().world(); delayed++) {
                buffers.fill(data);
                context.communicator().barrier();
                if (context.rank() == delayed) {
                    Pause.of(DELAY);
                }
                context.run(operation);
                new ResultCheck(context, context.test(), data, buffers).check();
            }
        }
    }
}
