package org.mscclj.conformance.rank;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;

/** All ranks exchange messages of many sizes with all ranks, themselves included, in one batch: more than any slots hold. */
final class MessagesCheck implements RankCheck {
    private static final int[] SIZES = {65_537, 0, 1, 4096, 3 << 20, 13, 100_000};
    private static final int ROUNDS = 3;

    private static int size(int from, int to, int round) {
        return SIZES[(2 * from + 3 * to + round) % SIZES.length];
    }

    private static long number(int from, int to, int round) {
        return (from * 100L + to) * 100 + round;
    }

    @Override
    public void check(RankContext context) {
        int rank = context.rank();
        for (int round = 0; round < ROUNDS; round++) {
            TransferCall call = TransferCall.batch();
            List<MessageBuffer> sent = new ArrayList<>();
            List<MessageBuffer> received = new ArrayList<>();
            for (int peer = 0; peer < context.test().world(); peer++) {
                sent.add(new MessageBuffer(context.communicator(), size(rank, peer, round)));
                sent.getLast().fill(number(rank, peer, round));
                received.add(new MessageBuffer(context.communicator(), size(peer, rank, round)));
                call = call.send(sent.getLast().message(), peer)
                        .receive(received.getLast().message(), peer);
            }
            Work work = context.communicator().execute(call);
            context.join(work);
            for (int peer = 0; peer < context.test().world(); peer++) {
                received.get(peer).check(context, "a message from rank " + peer, number(peer, rank, round));
                sent.get(peer).check(context, "a message that was sent to rank " + peer, number(rank, peer, round));
            }
            sent.forEach(MessageBuffer::close);
            received.forEach(MessageBuffer::close);
        }
    }
}
