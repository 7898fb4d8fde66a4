package org.mscclj.conformance.rank.late;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks a last rank whose process is stopped for a time. If the time is shorter than the timeout, nothing happens. If
 * it is longer, the communicator is ended and the other ranks name the rank that did not answer.
 */
final class StoppedRankCheck implements RankCheck {
    private static final int FOR_A_WHILE_SECONDS = 1;
    private static final int LAUNCHES_AFTER = 10;

    /** The time to find the cause when an operation is late: silent ranks get a second to answer. */
    private static final Duration ASKING = Duration.ofSeconds(2);

    private final boolean tooLong;

    StoppedRankCheck(boolean tooLong) {
        this.tooLong = tooLong;
    }

    @Override
    public void check(RankContext context) {
        if (!context.process().canBeSignalled() || context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "there is no other rank, or no command to send a signal by");
            return;
        }
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test());
                PreparedOperation operation = context.communicator()
                        .prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            CaseData data = new CaseData(context.test());
            buffers.fill(data);
            context.run(operation);
            context.communicator().barrier();
            if (tooLong) {
                stopTooLong(context, operation);
            } else {
                stopForAWhile(context, operation);
                buffers.fill(data);
                context.communicator().barrier();
                context.run(operation);
                new ResultCheck(context, context.test(), data, buffers).check();
            }
        }
    }

    private static boolean isVictim(RankContext context) {
        return context.rank() == context.test().world() - 1;
    }

    private static void stopForAWhile(RankContext context, PreparedOperation operation) {
        if (isVictim(context)) {
            context.process().stop(FOR_A_WHILE_SECONDS);
        }
        for (int i = 0; i < LAUNCHES_AFTER; i++) {
            context.run(operation);
        }
    }

    private static void stopTooLong(RankContext context, PreparedOperation operation) {
        Communicator communicator = context.communicator();
        Duration late =
                communicator.timeout().plus(communicator.timeout().dividedBy(8)).plus(ASKING);
        if (isVictim(context)) {
            context.process().stop((int) late.toSeconds());
            requireTimeout(context, false, communicator::barrier);
            return;
        }
        Duration latest = LateLaunchCheck.latest(context).plus(ASKING);
        operation.launch(); // a call of run with a longer timeout would give it more time
        requireTimeout(context, true, () -> operation.join(latest));
        requireTimeout(context, true, communicator::barrier);
    }

    private static void requireTimeout(RankContext context, boolean names, Runnable call) {
        int victim = context.test().world() - 1;
        try {
            call.run();
            context.report(FindingKind.BEHAVIOUR, "a call ended as if rank " + victim + " had not been stopped");
        } catch (OperationTimeoutException e) {
            if (names && !e.missingRanks().equals(List.of(victim))) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + victim + " was stopped, but the timeout names ranks " + e.missingRanks() + ": "
                                + e.getMessage());
            }
        }
    }
}
