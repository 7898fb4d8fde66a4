package org.mscclj.conformance.rank.message;

import java.util.Optional;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks a last rank that sends more than rank 0 receives, where no rank joins either. A join of a later operation on
 * rank 0 reports both sizes.
 */
final class UnjoinedSizesCheck implements RankCheck {
    private static final int SENT = 7000;
    private static final int EXPECTED = 3000;

    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        try (MessageBuffer message =
                        new MessageBuffer(context.communicator(), context.rank() == last ? SENT : EXPECTED);
                DeviceBuffer sum = context.communicator().allocate(Float.BYTES)) {
            context.communicator().barrier(); // all have allocated: a waiting kernel blocks allocations on its device
            Optional<Work> half = Optional.empty();
            if (context.rank() == last) {
                half = Optional.of(context.communicator().send(message.message(), 0));
            } else if (context.rank() == 0) {
                half = Optional.of(context.communicator().receive(message.message(), last));
            }
            try {
                context.communicator()
                        .allReduce(sum, sum, DataType.FLOAT32, ReduceOp.SUM)
                        .join(context.timeout());
                if (context.rank() == 0) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "a message of " + SENT + " bytes was received as one of " + EXPECTED
                                    + ", and a later operation was joined as if nothing had happened");
                }
            } catch (AbortedException e) {
                requireTold(context, String.valueOf(e.getMessage()));
            }
            half.ifPresent(work -> awaitEnd(context, work));
        } catch (AbortedException e) { // the failure came before this rank had launched the operation to join
            requireTold(context, String.valueOf(e.getMessage()));
        }
    }

    private static void requireTold(RankContext context, String told) {
        if (context.rank() == 0
                && !(told.contains(Integer.toString(SENT)) && told.contains(Integer.toString(EXPECTED)))) {
            context.report(FindingKind.BEHAVIOUR, "sizes that differ are not told: " + told);
        }
    }

    /** Waits for the launch, which uses its buffer until it ends. */
    private static void awaitEnd(RankContext context, Work work) {
        try {
            work.join(context.timeout());
        } catch (AbortedException e) {
            requireTold(context, String.valueOf(e.getMessage()));
        }
    }
}
