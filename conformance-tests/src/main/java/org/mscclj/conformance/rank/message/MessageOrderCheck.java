package org.mscclj.conformance.rank.message;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks the order of many sends of one size from every rank to its neighbour: several in a batch, and more batches
 * than the rank joins.
 */
final class MessageOrderCheck implements RankCheck {
    private static final int BATCHES = 12;
    private static final int OF_BATCH = 3;
    private static final int BYTES = 1000;

    private static long number(int from, int message) {
        return from * 1000L + message;
    }

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        int next = (context.rank() + 1) % world;
        int previous = (context.rank() + world - 1) % world;
        List<MessageBuffer> sent = new ArrayList<>();
        List<MessageBuffer> received = new ArrayList<>();
        List<TransferCall> calls = new ArrayList<>();
        for (int batch = 0; batch < BATCHES; batch++) {
            TransferCall call = TransferCall.batch();
            for (int i = 0; i < OF_BATCH; i++) {
                sent.add(new MessageBuffer(context.communicator(), BYTES));
                sent.getLast().fill(number(context.rank(), sent.size()));
                received.add(new MessageBuffer(context.communicator(), BYTES));
                call = call.send(sent.getLast().message(), next)
                        .receive(received.getLast().message(), previous);
            }
            calls.add(call);
        }
        context.communicator()
                .barrier(); // a GPU allocates no memory while a kernel of a rank that shares it waits for a message
        List<Work> works = calls.stream().map(context.communicator()::execute).toList();
        works.forEach(context::join);
        for (int message = 1; message <= received.size(); message++) {
            received.get(message - 1)
                    .check(context, "message " + message + " from rank " + previous, number(previous, message));
        }
        sent.forEach(MessageBuffer::close);
        received.forEach(MessageBuffer::close);
    }
}
