package org.mscclj.conformance.rank.late;

import java.util.Random;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.operation.Mismatch;
import org.mscclj.conformance.operation.MismatchedPair;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/** Checks ranks that compare their calls: every rank refuses a call that differs, and the communicator stays usable. */
final class ComparedCallsCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        Random random = new Random(context.test().seed());
        int tried = 0;
        for (Mismatch mismatch : Mismatch.values()) {
            int deviant = random.nextInt(context.test().world());
            MismatchedPair opened;
            try {
                opened = MismatchedPair.open(context.communicator(), mismatch, random, deviant);
            } catch (UnsupportedException _) {
                continue; // no rank can make such calls here
            }
            tried++;
            try (MismatchedPair pair = opened) {
                refuse(context, mismatch, pair, deviant, false);
                refuse(context, mismatch, pair, deviant, true);
                pair.launch(false, true).accept(context.timeout());
                pair.launch(true, false).accept(context.timeout());
            }
        }
        if (tried == 0) {
            context.report(FindingKind.NO_PART, "no two calls are supported that differ");
        }
    }

    private static void refuse(
            RankContext context, Mismatch mismatch, MismatchedPair pair, int deviant, boolean prepared) {
        String what = (prepared ? "a launch" : "a call") + " of rank " + deviant + " that differs in " + mismatch;
        try {
            pair.launch(context.rank() == deviant, prepared).accept(context.timeout());
            context.report(FindingKind.BEHAVIOUR, what + " was not refused");
        } catch (InvalidArgumentException e) {
            String message = String.valueOf(e.getMessage());
            if (!Mismatch.isNamed(
                    message, deviant, pair.calls().rightWords(), pair.calls().otherWords())) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        what + " was refused without saying \"" + pair.calls().rightWords() + "\", \""
                                + pair.calls().otherWords() + "\" and the ranks: " + message);
            }
        }
    }
}
