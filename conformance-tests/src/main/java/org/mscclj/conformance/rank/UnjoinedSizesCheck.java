package org.mscclj.conformance.rank;

import java.util.Optional;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The last rank sends more than rank 0 receives, and nobody joins that: whoever joins a later operation on rank 0 is
 * told both sizes.
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
            context.communicator().barrier(); // memory first: kernels that wait keep others from getting some
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
        } catch (AbortedException e) { // before this rank had launched what it joins
            requireTold(context, String.valueOf(e.getMessage()));
        }
    }

    private static void requireTold(RankContext context, String told) {
        if (context.rank() == 0
                && !(told.contains(Integer.toString(SENT)) && told.contains(Integer.toString(EXPECTED)))) {
            context.report(FindingKind.BEHAVIOUR, "sizes that differ are not told: " + told);
        }
    }

    /** Its buffer is in use until then. */
    private static void awaitEnd(RankContext context, Work work) {
        try {
            work.join(context.timeout());
        } catch (AbortedException e) {
            requireTold(context, String.valueOf(e.getMessage()));
        }
    }
}
