package org.mscclj.conformance.rank.message;

import org.mscclj.api.Work;
import org.mscclj.api.error.AbortedException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks a last rank that sends more than rank 0 receives. The exception contains both sizes, and nothing is written
 * outside the receive buffer. The content of the buffer is undefined, as after any abort.
 */
final class UnequalSizesCheck implements RankCheck {
    private static final int SENT = 5000;
    private static final int EXPECTED = 3000;

    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        if (context.rank() == last) {
            try (MessageBuffer buffer = new MessageBuffer(context.communicator(), SENT)) {
                buffer.fill(1);
                context.communicator().barrier();
                sendInVain(context.communicator().send(buffer.message(), 0));
            }
        } else if (context.rank() == 0) {
            receive(context, last);
        } else {
            context.communicator().barrier();
        }
    }

    /** The sender may have ended before the receiver compares the sizes. */
    private static void sendInVain(Work work) {
        try {
            work.join();
        } catch (AbortedException expected) {
            return; // this is allowed
        }
    }

    private static void receive(RankContext context, int last) {
        try (MessageBuffer buffer = new MessageBuffer(context.communicator(), EXPECTED)) {
            context.communicator()
                    .barrier(); // a GPU allocates no memory while a kernel of a rank that shares it waits for a message
            receiveInVain(context, context.communicator().receive(buffer.message(), last));
            buffer.checkAround(context, "what was to take a message of " + SENT + " bytes, but is too small for one");
        }
    }

    private static void receiveInVain(RankContext context, Work work) {
        try {
            work.join(context.timeout());
            context.report(FindingKind.BEHAVIOUR, "a message of " + SENT + " bytes was received as one of " + EXPECTED);
        } catch (AbortedException e) {
            String message = String.valueOf(e.getMessage());
            if (!message.contains(Integer.toString(SENT)) || !message.contains(Integer.toString(EXPECTED))) {
                context.report(FindingKind.BEHAVIOUR, "sizes that differ are not told: " + message);
            }
        }
    }
}
