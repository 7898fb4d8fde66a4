package org.mscclj.conformance.rank.message;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.task.Opened;

/**
 * Checks a late sender. Rank 0 waits for messages from all other ranks, and the last rank sends late. A join before
 * names only the last rank, and a join after it ends.
 */
final class MissingSenderCheck implements RankCheck {
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final int ATTEMPTS = 8;
    private static final int BYTES = 4096;

    @Override
    public void check(RankContext context) {
        if (context.rank() == 0) {
            receive(context);
        } else {
            send(context);
        }
    }

    private static void receive(RankContext context) {
        Communicator communicator = context.communicator();
        int world = context.test().world();
        try (Opened opened = new Opened()) {
            List<MessageBuffer> buffers = new ArrayList<>();
            TransferCall call = TransferCall.batch();
            for (int rank = 1; rank < world; rank++) {
                buffers.add(opened.add(new MessageBuffer(communicator, BYTES), MessageBuffer::close));
                call = call.receive(buffers.getLast().message(), rank);
            }
            communicator.barrier(); // a kernel that waits for a message blocks allocations on its GPU
            Work work = communicator.execute(call);
            communicator.barrier(); // after it all ranks but one have sent
            joinInVain(context, work, world - 1);
            communicator.barrier();
            context.join(work);
            for (int rank = 1; rank < world; rank++) {
                buffers.get(rank - 1).check(context, "a message from rank " + rank, rank);
            }
        }
    }

    private static void send(RankContext context) {
        Communicator communicator = context.communicator();
        boolean late = context.rank() == context.test().world() - 1;
        try (MessageBuffer buffer = new MessageBuffer(communicator, BYTES)) {
            buffer.fill(context.rank());
            communicator.barrier();
            if (!late) {
                context.join(communicator.send(buffer.message(), 0));
            }
            communicator.barrier();
            communicator.barrier();
            if (late) {
                context.join(communicator.send(buffer.message(), 0));
            }
        }
    }

    /**
     * On a busy machine sent messages may need a moment to arrive; until then a timeout may also name their senders.
     */
    private static void joinInVain(RankContext context, Work work, int late) {
        for (int left = ATTEMPTS - 1; left >= 0; left--) {
            try {
                work.join(SHORT);
                context.report(FindingKind.BEHAVIOUR, "a message arrived although rank " + late + " had not sent it");
                return;
            } catch (OperationTimeoutException e) {
                if (e.missingRanks().equals(List.of(late))) {
                    return;
                }
                if (left == 0) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "rank " + late + " alone did not send, but the timeout names ranks " + e.missingRanks()
                                    + ": " + e.getMessage());
                }
            }
        }
    }
}
