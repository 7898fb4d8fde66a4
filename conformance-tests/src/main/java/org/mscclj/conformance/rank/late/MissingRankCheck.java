package org.mscclj.conformance.rank.late;

import java.time.Duration;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.task.RunningClock;

/**
 * Checks a last rank that launches late. A rank that joins before gets a timeout that names the last rank. After the
 * late launch all ranks join again and have the result.
 */
final class MissingRankCheck implements RankCheck {
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final Duration RETURNS_WITHIN = Duration.ofSeconds(2);

    @Override
    public void check(RankContext context) {
        int late = context.test().world() - 1;
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test());
                PreparedOperation operation = context.communicator()
                        .prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            CaseData data = new CaseData(context.test());
            buffers.fill(data);
            if (context.rank() != late) {
                operation.launch();
                joinInVain(context, operation, late);
            }
            context.communicator().barrier();
            if (context.rank() == late) {
                operation.launch();
            }
            context.join(operation);
            new ResultCheck(context, context.test(), data, buffers).check();
        }
    }

    private static void joinInVain(RankContext context, PreparedOperation operation, int late) {
        long start = RunningClock.nanoTime();
        try {
            operation.join(SHORT);
            context.report(FindingKind.BEHAVIOUR, "the operation ended although rank " + late + " had not launched it");
        } catch (OperationTimeoutException e) {
            if (!e.missingRanks().contains(late)) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + late + " did not launch, but the timeout names ranks " + e.missingRanks() + ": "
                                + e.getMessage());
            }
        }
        Duration took = Duration.ofNanos(RunningClock.nanoTime() - start);
        if (took.compareTo(RETURNS_WITHIN) > 0) {
            context.report(
                    FindingKind.BEHAVIOUR, "joining for " + DurationText.of(SHORT) + " took " + DurationText.of(took));
        }
    }
}
