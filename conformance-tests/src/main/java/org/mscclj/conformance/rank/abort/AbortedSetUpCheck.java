package org.mscclj.conformance.rank.abort;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.abort.SetUpCalls.SetUpCall;
import org.mscclj.conformance.task.DaemonTask;
import org.mscclj.conformance.task.Opened;
import org.mscclj.conformance.task.RunningClock;

/**
 * Checks aborts during set-up. All ranks but the last make a call that waits for the last rank, and another thread
 * aborts. Each such call ends within the limit, with the reason.
 */
final class AbortedSetUpCheck implements RankCheck {
    private static final String BEFORE = "conformance: an earlier abort";
    private static final String REASON = "conformance: an abort during set-up";
    private static final Duration UNTIL_ALL_WAIT = Duration.ofMillis(50);

    @Override
    public void check(RankContext context) {
        if (context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "there is no rank to wait for");
            return;
        }
        for (SetUpCall call : SetUpCalls.of(context.test().mode())) {
            try (Opened opened = new Opened()) {
                Communicator communicator = opened.add(context.second(), Communicator::close);
                Runnable made = call.opening().open(context, communicator, opened);
                context.communicator().barrier();
                if (context.rank() < context.test().world() - 1) {
                    if (call.recovers()) {
                        communicator.abort(BEFORE);
                    }
                    abortMeanwhile(context, communicator, call, made);
                }
                context.communicator().barrier();
                communicator.abort(REASON); // so that nothing waits for the last rank, however the call has ended
            }
            context.communicator().barrier();
        }
    }

    private static void abortMeanwhile(RankContext context, Communicator communicator, SetUpCall call, Runnable made) {
        AtomicBoolean ended = new AtomicBoolean();
        if (context.rank() == 0 || call.recovers()) {
            DaemonTask<Boolean> _ = DaemonTask.start("conformance-abort", () -> abort(communicator, call, ended));
        }
        long start = RunningClock.nanoTime();
        try {
            made.run();
            if (call.throwing()) {
                context.report(
                        FindingKind.BEHAVIOUR, call.name() + " ended as if all were right, without the last rank");
            }
        } catch (AbortedException e) {
            if (!String.valueOf(e.getMessage()).contains(REASON)) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "an abort during " + call.name() + " does not say why: " + e.getMessage());
            }
        } finally {
            ended.set(true);
        }
        FaultLimit.require(
                context,
                "waking up from " + call.name(),
                Duration.ofNanos(RunningClock.nanoTime() - start),
                UNTIL_ALL_WAIT);
    }

    /**
     * Aborts once. If an earlier abort does not end the call, aborts again until the call has ended, since a loaded
     * machine may make the call late.
     */
    private static boolean abort(Communicator communicator, SetUpCall call, AtomicBoolean ended) {
        do {
            Pause.of(UNTIL_ALL_WAIT);
            communicator.abort(REASON);
        } while (call.recovers() && !ended.get());
        return true;
    }
}
