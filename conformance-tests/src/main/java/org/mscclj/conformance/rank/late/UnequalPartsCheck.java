package org.mscclj.conformance.rank.late;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks a variable-size exchange in which the last rank has more for rank 0 than rank 0 expects: every rank gets both
 * sizes.
 */
final class UnequalPartsCheck implements RankCheck {
    private static final long EXPECTED = 300;
    private static final long SENT = 500;

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        if (world == 1) {
            context.report(FindingKind.NO_PART, "there is no other rank");
            return;
        }
        long bytes = world * SENT;
        try (DeviceBuffer input = context.communicator().device().allocate(bytes);
                DeviceBuffer output = context.communicator().device().allocate(bytes);
                Communicator communicator = context.second()) {
            List<Long> received = Collections.nCopies(world, EXPECTED);
            List<Long> sent = new ArrayList<>(received);
            if (context.rank() == world - 1) {
                sent.set(0, SENT);
            }
            communicator.barrier();
            try {
                communicator
                        .execute(communicator.variable().allToAll(input, sent, output, received, DataType.UINT8))
                        .join(context.timeout());
                communicator.barrier(); // ranks that the exchange did not affect learn of it here
                context.report(
                        FindingKind.BEHAVIOUR, "a part of " + SENT + " bytes was received as one of " + EXPECTED);
            } catch (AbortedException e) {
                String message = String.valueOf(e.getMessage());
                if (!message.contains(Long.toString(SENT)) || !message.contains(Long.toString(EXPECTED))) {
                    context.report(FindingKind.BEHAVIOUR, "sizes of parts that differ are not told: " + message);
                }
            }
            context.communicator().barrier();
        }
    }
}
