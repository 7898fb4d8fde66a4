package org.mscclj.conformance.rank.hook;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/** Checks a rank that aborts a communicator twice: the hook of each rank is called once, with the first reason. */
final class HookOfAbortsCheck implements RankCheck {
    private static final Duration LATE = Duration.ofMillis(50);
    private static final String FIRST = "conformance: hooks are called for this";
    private static final String SECOND = "conformance: hooks are not called for this";

    @Override
    public void check(RankContext context) {
        HookWitness witness = new HookWitness();
        try (Communicator communicator = context.second();
                HookRegistration _ = communicator.addHook(HookWitness.failing());
                HookRegistration _ = communicator.addHook(witness)) {
            context.communicator().barrier(); // all ranks have hooks
            if (context.rank() == context.test().world() - 1) {
                communicator.abort(FIRST);
            }
            requireReason(context, witness);
            context.communicator().barrier();
            communicator.abort(SECOND);
            context.communicator().barrier();
            Pause.of(LATE); // another thread may call the hook
        }
        if (!witness.reasons().isEmpty()) {
            context.report(
                    FindingKind.BEHAVIOUR, "a hook was called again for an abort, because of " + witness.reasons());
        }
    }

    private static void requireReason(RankContext context, HookWitness witness) {
        try {
            String reason = witness.reasons().poll(FaultLimit.of(context).toNanos(), TimeUnit.NANOSECONDS);
            if (reason == null || !reason.contains(FIRST)) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "within " + DurationText.of(FaultLimit.of(context))
                                + " a hook was called for an abort because of " + reason + "; right is because of "
                                + FIRST);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            context.report(FindingKind.ERROR, "interrupted while waiting for a hook");
        }
    }
}
