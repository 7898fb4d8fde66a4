package org.mscclj.conformance.rank.message;

import java.time.Duration;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks empty messages: the receiver waits for the empty message, and receives the next message after it. Also checks
 * that a rank receives what it sends to itself in one batch.
 */
final class EmptyMessagesCheck implements RankCheck {
    private static final Duration LATE = Duration.ofMillis(50);
    private static final int BYTES = 33;

    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        try (MessageBuffer empty = new MessageBuffer(context.communicator(), 0);
                MessageBuffer message = new MessageBuffer(context.communicator(), BYTES)) {
            context.communicator().barrier(); // all have allocated: a waiting kernel blocks allocations on its device
            if (context.rank() == 0 && last > 0) {
                message.fill(1);
                context.communicator().barrier();
                context.join(context.communicator().send(empty.message(), last));
                context.join(context.communicator().send(message.message(), last));
            } else if (context.rank() == last && last > 0) {
                Work first = context.communicator().receive(empty.message(), 0);
                if (Pause.until(first::isCompleted, LATE)) {
                    context.report(FindingKind.BEHAVIOUR, "an empty message was received before it was sent");
                }
                context.communicator().barrier();
                context.join(first);
                context.join(context.communicator().receive(message.message(), 0));
                message.check(context, "the message behind an empty one", 1);
                empty.checkAround(context, "an empty message");
            } else {
                context.communicator().barrier();
            }
        }
        sendToItself(context);
    }

    private static void sendToItself(RankContext context) {
        int rank = context.rank();
        try (MessageBuffer sent = new MessageBuffer(context.communicator(), BYTES);
                MessageBuffer received = new MessageBuffer(context.communicator(), BYTES);
                MessageBuffer empty = new MessageBuffer(context.communicator(), 0)) {
            sent.fill(rank);
            context.join(context.communicator()
                    .execute(TransferCall.batch()
                            .receive(received.message(), rank)
                            .send(sent.message(), rank)
                            .send(empty.message(), rank)
                            .receive(empty.message(), rank)));
            received.check(context, "what rank " + rank + " has sent to itself", rank);
        }
    }
}
