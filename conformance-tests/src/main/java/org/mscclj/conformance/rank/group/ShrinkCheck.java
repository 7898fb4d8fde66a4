package org.mscclj.conformance.rank.group;

import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.result.ResultChecks;

/**
 * Checks a shrink: the last rank aborts and leaves; the others shrink the communicator, and continue in the new one.
 */
final class ShrinkCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        if (last == 0) {
            return;
        }
        if (context.rank() == last) {
            context.communicator().abort("conformance: this rank leaves on purpose");
            return;
        }
        try (Communicator left = context.communicator().shrink(List.of(last))) {
            if (left.size() != last || left.rank() != context.rank()) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + context.rank() + " is rank " + left.rank() + " of " + left.size()
                                + " after the last rank was excluded; right is " + context.rank() + " of " + last);
            }
            ResultChecks.relaunches().check(context.within(left, context.test().world(last)));
        }
        if (!context.communicator().isAborted()) {
            context.report(FindingKind.BEHAVIOUR, "isAborted is false of a communicator that was shrunk");
        }
    }
}
