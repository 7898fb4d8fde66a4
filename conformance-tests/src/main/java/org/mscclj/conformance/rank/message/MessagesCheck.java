package org.mscclj.conformance.rank.message;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.TransferCall;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks sends of many sizes from all ranks to all ranks, themselves included, in one batch: more than the slots of any
 * implementation hold.
 */
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
        List<Round> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            rounds.add(new Round(context, round));
        }
        context.communicator()
                .barrier(); // a GPU allocates no memory while a kernel of a rank that shares it waits for a message
        for (Round round : rounds) {
            context.join(context.communicator().execute(round.call));
            round.check(context);
        }
        rounds.forEach(Round::close);
    }

    /** A batch, and its messages by peer. */
    private static final class Round {
        private final int number;
        private final List<MessageBuffer> sent = new ArrayList<>();
        private final List<MessageBuffer> received = new ArrayList<>();
        private TransferCall call = TransferCall.batch();

        Round(RankContext context, int number) {
            this.number = number;
            int rank = context.rank();
            for (int peer = 0; peer < context.test().world(); peer++) {
                sent.add(new MessageBuffer(context.communicator(), size(rank, peer, number)));
                sent.getLast().fill(number(rank, peer, number));
                received.add(new MessageBuffer(context.communicator(), size(peer, rank, number)));
                call = call.send(sent.getLast().message(), peer)
                        .receive(received.getLast().message(), peer);
            }
        }

        void check(RankContext context) {
            int rank = context.rank();
            for (int peer = 0; peer < sent.size(); peer++) {
                received.get(peer).check(context, "a message from rank " + peer, number(peer, rank, number));
                sent.get(peer).check(context, "a message that was sent to rank " + peer, number(rank, peer, number));
            }
        }

        void close() {
            sent.forEach(MessageBuffer::close);
            received.forEach(MessageBuffer::close);
        }
    }
}
