package org.mscclj.conformance.rank.late;

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
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks one rank that launches another call than the others, where no rank compares calls. A rank that waits in vain
 * gets a timeout that names each call with its ranks. Where launches of different calls could end, one more rank makes
 * no call.
 */
final class DifferentCallsCheck implements RankCheck {
    private static final Duration SHORT = Duration.ofMillis(100);

    /** How much later the others may launch, in units of {@link #SHORT}. */
    private static final int ATTEMPTS = 30;

    /**
     * The number of attempts once this rank has found a fault. The rule is broken already; the other pairs of calls
     * only add detail.
     */
    private static final int LATER_ATTEMPTS = 5;

    private static final int NOBODY = -1;

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        Random random = new Random(context.test().seed());
        int tried = 0;
        for (Mismatch mismatch : Mismatch.values()) {
            int deviant = random.nextInt(world);
            boolean needsAbsence = mismatch.mayEnd();
            if (world > 2 || !needsAbsence) {
                int absent = needsAbsence ? (deviant + 1) % world : NOBODY;
                tried += differ(context, mismatch, random, deviant, absent) ? 1 : 0;
            }
        }
        if (tried == 0) {
            context.report(FindingKind.NO_PART, "no two calls are supported that would wait for each other in vain");
        }
    }

    /** Makes one rank launch another call. Returns false if no rank can make such calls here. */
    private static boolean differ(RankContext context, Mismatch mismatch, Random random, int deviant, int absent) {
        try (Communicator communicator = context.second()) {
            MismatchedPair opened;
            try {
                opened = MismatchedPair.open(communicator, mismatch, random, deviant);
            } catch (UnsupportedException _) {
                return false;
            }
            try (MismatchedPair pair = opened;
                    RankCount count = new RankCount(context)) { // while nothing waits on the devices
                boolean prepared = random.nextBoolean();
                context.communicator().barrier();
                Optional<Consumer<Duration>> join = context.rank() == absent
                        ? Optional.empty()
                        : Optional.of(pair.launch(context.rank() == deviant, prepared));
                boolean waited = join.isPresent() && waitInVain(context, mismatch, pair, deviant, absent, join.get());
                if (count.where(waited) == 0 && context.rank() == deviant) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "the launches of all ranks ended as if all were right, although "
                                    + what(mismatch, deviant));
                }
                communicator.abort("conformance: the calls differ on purpose");
                join.ifPresent(waiting -> endAborted(context, waiting)); // buffers can be closed when it has ended
            }
        }
        return true;
    }

    private static String what(Mismatch mismatch, int deviant) {
        return "rank " + deviant + " made a call that differs in " + mismatch;
    }

    private static void endAborted(RankContext context, Consumer<Duration> join) {
        try {
            join.accept(context.timeout());
        } catch (AbortedException _) {
            // expected, unless the launch had ended
        }
    }

    /** Requires that a launch which waits in vain reports the reason. Returns false if this rank's launch ended. */
    private static boolean waitInVain(
            RankContext context,
            Mismatch mismatch,
            MismatchedPair pair,
            int deviant,
            int absent,
            Consumer<Duration> join) {
        String message = "";
        int attempts = context.hasFindings() ? LATER_ATTEMPTS : ATTEMPTS;
        for (int attempt = 0; attempt < attempts; attempt++) {
            try {
                join.accept(SHORT);
                if (absent != NOBODY) { // otherwise this rank may have received all it needs
                    context.report(
                            FindingKind.BEHAVIOUR,
                            what(mismatch, deviant) + ", rank " + absent + " made none, and the launch ended");
                }
                return false;
            } catch (OperationTimeoutException e) {
                message = String.valueOf(e.getMessage());
                if (Mismatch.isNamed(
                        message,
                        deviant,
                        pair.calls().rightWords(),
                        pair.calls().otherWords())) {
                    return true;
                }
            }
        }
        context.report(
                FindingKind.BEHAVIOUR,
                what(mismatch, deviant) + ", but the timeout does not say \""
                        + pair.calls().rightWords() + "\", \"" + pair.calls().otherWords() + "\" and the ranks: "
                        + message);
        return true;
    }
}
