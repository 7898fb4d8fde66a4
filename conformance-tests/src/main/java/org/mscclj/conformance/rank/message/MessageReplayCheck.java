package org.mscclj.conformance.rank.message;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks sends and receives in a ring of all ranks: by a graph, and by launches between its replays, each time with new
 * content.
 */
final class MessageReplayCheck implements RankCheck {
    private static final int[] SIZES = {4097, 0, 2 << 20};
    private static final int ROUNDS = 7;

    private static long number(int from, int round, int message) {
        return (from * 100L + round) * 100 + message;
    }

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        int rank = context.rank();
        int next = (rank + 1) % world;
        int previous = (rank + world - 1) % world;
        List<MessageBuffer> sent = new ArrayList<>();
        List<MessageBuffer> received = new ArrayList<>();
        TransferCall call = TransferCall.batch();
        for (int size : SIZES) {
            sent.add(new MessageBuffer(context.communicator(), size));
            received.add(new MessageBuffer(context.communicator(), size));
            call = call.send(sent.getLast().message(), next)
                    .receive(received.getLast().message(), previous);
        }
        try (Stream stream = context.communicator().device().createStream();
                PreparedOperation operation = context.communicator().prepare(call);
                Graph graph = stream.capture(() -> operation.launch(stream))) {
            context.communicator()
                    .barrier(); // a GPU allocates no memory while a kernel of a rank that shares it waits for a message
            for (int round = 0; round < ROUNDS; round++) { // all rounds: another rank may have no findings, and wait
                for (int message = 0; message < SIZES.length; message++) {
                    sent.get(message).fill(number(rank, round, message));
                }
                if (round % 3 == 0) {
                    context.run(operation);
                } else {
                    graph.launch(stream);
                    context.synchronize(stream);
                }
                for (int message = 0; message < SIZES.length; message++) {
                    received.get(message)
                            .check(
                                    context,
                                    "round " + round + ": a message from rank " + previous,
                                    number(previous, round, message));
                }
            }
        }
        sent.forEach(MessageBuffer::close);
        received.forEach(MessageBuffer::close);
    }
}
