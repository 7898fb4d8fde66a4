package org.mscclj.conformance.rank.message;

import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks sends on two unused communicators. Rank 0 sends to the last rank on one communicator and then on the other.
 * The last rank receives in the opposite order. All other ranks do nothing meanwhile.
 */
final class LanesCheck implements RankCheck {
    private static final int BYTES = 4097;

    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        if (last == 0) {
            context.report(FindingKind.NO_PART, "there is no rank to send to");
            return;
        }
        try (Communicator first = context.second();
                Communicator second = context.second();
                MessageBuffer one = new MessageBuffer(context.communicator(), BYTES);
                MessageBuffer two = new MessageBuffer(context.communicator(), BYTES)) {
            context.communicator().barrier(); // all have allocated: a waiting kernel blocks allocations on its device
            if (context.rank() == 0) {
                one.fill(1);
                two.fill(2);
                Work sent = first.send(one.message(), last);
                Work sentToo = second.send(two.message(), last);
                context.join(sent);
                context.join(sentToo);
            } else if (context.rank() == last) {
                context.join(second.receive(two.message(), 0));
                context.join(first.receive(one.message(), 0));
                one.check(context, "a message of one communicator", 1);
                two.check(context, "a message of another communicator", 2);
            }
            context.communicator().barrier();
        }
    }
}
