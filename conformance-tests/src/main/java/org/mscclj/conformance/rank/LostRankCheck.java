package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.RankLostException;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.RunningClock;

/** A rank's process is killed; which one, the case's root says. The others say who it was, soon, and go on without it. */
final class LostRankCheck implements RankCheck {
    @Override
    public OptionalInt kills(TestCase test) {
        return OptionalInt.of(test.root());
    }

    @Override
    public void check(RankContext context) {
        if (!context.process().canBeSignalled()) {
            context.report(FindingKind.NO_PART, "there is no command to send a signal by");
            return;
        }
        Communicator communicator = context.communicator();
        int victim = context.test().root();
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, context.test());
                PreparedOperation operation =
                        communicator.prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            buffers.fill(new CaseData(context.test()));
            context.run(operation);
            communicator.barrier();
            if (context.rank() == victim) {
                context.process().kill();
            }
            long start = RunningClock.nanoTime();
            requireNamed(context, "an operation", victim, () -> operation.run(context.timeout()));
            FaultLimit.require(
                    context, "hearing that a rank is lost", Duration.ofNanos(RunningClock.nanoTime() - start));
            requireNamed(context, "a later call", victim, communicator::barrier);
        }
        goOn(context, victim);
    }

    private static void requireNamed(RankContext context, String what, int victim, Runnable call) {
        try {
            call.run();
            context.report(
                    FindingKind.BEHAVIOUR,
                    what + " ended as if all were right although rank " + victim + " was killed");
        } catch (RankLostException e) {
            if (e.rank() != victim) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + victim + " was killed, but " + what + " names rank " + e.rank() + ": "
                                + e.getMessage());
            }
        }
    }

    private static void goOn(RankContext context, int victim) {
        try (Communicator left = context.communicator().shrink(List.of(victim))) {
            TestCase fewer = context.test().world(context.test().world() - 1).root(0);
            Checks.result().check(context.within(left, fewer));
        }
    }
}
