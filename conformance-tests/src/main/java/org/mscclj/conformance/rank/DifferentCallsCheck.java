package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.operation.Mismatch;
import org.mscclj.conformance.operation.MismatchedPair;

/**
 * One rank launches something else than the others, which nobody compares: whoever waits in vain is told who has called what. Where launches of different calls
 * could end, another rank stays away.
 */
final class DifferentCallsCheck implements RankCheck {
    private static final Duration SHORT = Duration.ofMillis(250);

    /** The others may come so much later, in units of {@link #SHORT}. */
    private static final int ATTEMPTS = 12;

    private static final int NOBODY = -1;

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        Random random = new Random(context.test().seed());
        for (Mismatch mismatch : Mismatch.values()) {
            int deviant = random.nextInt(world);
            boolean needsAbsence = mismatch.mayEnd();
            if (mismatch.isSeenLate() && (world > 2 || !needsAbsence)) {
                int absent = needsAbsence ? (deviant + 1) % world : NOBODY;
                differ(context, mismatch, random, deviant, absent);
            }
        }
    }

    private static void differ(RankContext context, Mismatch mismatch, Random random, int deviant, int absent) {
        try (Communicator communicator = context.second();
                MismatchedPair pair = MismatchedPair.open(communicator, mismatch, random, deviant)) {
            boolean prepared = random.nextBoolean();
            context.communicator().barrier();
            Optional<Consumer<Duration>> join = context.rank() == absent
                    ? Optional.empty()
                    : Optional.of(pair.launch(context.rank() == deviant, prepared));
            join.ifPresent(waiting -> waitInVain(context, mismatch, pair, deviant, absent, waiting));
            context.communicator().barrier(); // all have been told
            communicator.abort("conformance: the calls differ on purpose");
            join.ifPresent(waiting -> endAborted(context, waiting)); // buffers can be closed when it has ended
        } catch (UnsupportedException _) {
            // such calls cannot be made here, by no rank
        }
    }

    private static void endAborted(RankContext context, Consumer<Duration> join) {
        try {
            join.accept(context.timeout());
        } catch (AbortedException _) {
            // as it should be; or it had ended
        }
    }

    private static void waitInVain(
            RankContext context,
            Mismatch mismatch,
            MismatchedPair pair,
            int deviant,
            int absent,
            Consumer<Duration> join) {
        String what = "rank " + deviant + " made a call that differs in " + mismatch;
        String message = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                join.accept(SHORT);
                if (absent != NOBODY) { // else this rank may have got from the others what it needs
                    context.report(
                            FindingKind.BEHAVIOUR, what + ", rank " + absent + " made none, and the launch ended");
                }
                return;
            } catch (OperationTimeoutException e) {
                message = String.valueOf(e.getMessage());
                if (Mismatch.isNamed(
                        message,
                        deviant,
                        pair.calls().rightWords(),
                        pair.calls().otherWords())) {
                    return;
                }
            }
        }
        context.report(
                FindingKind.BEHAVIOUR,
                what + ", but the timeout does not say \"" + pair.calls().rightWords() + "\", \""
                        + pair.calls().otherWords() + "\" and who: " + message);
    }
}
