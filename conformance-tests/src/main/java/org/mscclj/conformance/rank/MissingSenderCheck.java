package org.mscclj.conformance.rank;

import java.time.Duration;
import org.mscclj.api.Work;
import org.mscclj.api.error.OperationTimeoutException;

/** Rank 0 waits for a message that the last rank sends late: joining meanwhile names that rank, and joining again ends. */
final class MissingSenderCheck implements RankCheck {
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final int BYTES = 4096;

    @Override
    public void check(RankContext context) {
        int late = context.test().world() - 1;
        try (MessageBuffer buffer = new MessageBuffer(context.communicator(), BYTES)) {
            context.communicator()
                    .barrier(); // a GPU gives no memory while a kernel of a rank that shares it waits for a message
            if (context.rank() == 0) {
                Work work = context.communicator().receive(buffer.message(), late);
                joinInVain(context, work, late);
                context.communicator().barrier();
                context.join(work);
                buffer.check(context, "a message from rank " + late, 1);
            } else {
                context.communicator().barrier();
            }
            if (context.rank() == late) {
                buffer.fill(1);
                context.join(context.communicator().send(buffer.message(), 0));
            }
        }
    }

    private static void joinInVain(RankContext context, Work work, int late) {
        try {
            work.join(SHORT);
            context.report(FindingKind.BEHAVIOUR, "a message arrived although rank " + late + " had not sent it");
        } catch (OperationTimeoutException e) {
            if (!e.missingRanks().contains(late)) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + late + " did not send, but the timeout names ranks " + e.missingRanks() + ": "
                                + e.getMessage());
            }
        }
    }
}
