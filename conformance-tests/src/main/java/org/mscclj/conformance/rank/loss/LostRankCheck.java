package org.mscclj.conformance.rank.loss;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.RankLostException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.OwnProcess;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.RunningClock;

/**
 * Checks the loss of a rank: its process is killed, or its connections are cut. The root of the case is the lost rank.
 * The other ranks name it within the limit, and continue without it. A rank that is cut off continues alone, and
 * reports that it has lost a peer.
 */
final class LostRankCheck implements RankCheck {
    /** What happens to the rank. */
    enum Loss {
        KILLED("was killed"),
        CUT_OFF("was cut off");

        final String words;

        Loss(String words) {
            this.words = words;
        }
    }

    private final Loss loss;

    LostRankCheck(Loss loss) {
        this.loss = loss;
    }

    @Override
    public OptionalInt kills(TestCase test) {
        return loss == Loss.KILLED ? OptionalInt.of(test.root()) : OptionalInt.empty();
    }

    @Override
    public void check(RankContext context) {
        OwnProcess process = context.process();
        if (loss == Loss.KILLED ? !process.canBeSignalled() : !process.canBeCutOff()) {
            context.report(
                    FindingKind.NO_PART,
                    loss == Loss.KILLED
                            ? "there is no command to send a signal by"
                            : "a process cannot cut its own connections here");
            return;
        }
        Communicator communicator = context.communicator();
        int victim = context.test().root();
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, context.test());
                PreparedOperation operation =
                        communicator.prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            buffers.fill(new CaseData(context.test()));
            context.run(operation);
            if (context.rank() == victim) {
                communicator.barrier();
                if (loss == Loss.KILLED) {
                    process.kill();
                }
                process.cutOff();
                requireNamed(
                        context, "a call of its own", communicator::barrier); // peers could complete what it launched
                return;
            }
            long start = RunningClock.nanoTime();
            requireNamed(context, "an operation", () -> {
                communicator.barrier(); // the loss may overtake the last arrivals of other ranks
                operation.run(context.timeout());
            });
            FaultLimit.require(
                    context, "hearing that a rank is lost", Duration.ofNanos(RunningClock.nanoTime() - start));
            requireNamed(context, "a later call", communicator::barrier);
        }
        goOn(context, victim);
    }

    private void requireNamed(RankContext context, String what, Runnable call) {
        int victim = context.test().root();
        try {
            call.run();
            context.report(
                    FindingKind.BEHAVIOUR,
                    what + " ended as if all were right although rank " + victim + " " + loss.words);
        } catch (RankLostException e) {
            if (e.rank() != victim && context.rank() != victim) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + victim + " " + loss.words + ", but " + what + " names rank " + e.rank() + ": "
                                + e.getMessage());
            }
        }
    }

    private static void goOn(RankContext context, int victim) {
        try (Communicator left = context.communicator().shrink(List.of(victim))) {
            TestCase fewer = context.test().world(context.test().world() - 1).root(0);
            ResultChecks.result().check(context.within(left, fewer));
        }
    }
}
