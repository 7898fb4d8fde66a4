package org.mscclj.conformance.rank.call;

import java.nio.charset.StandardCharsets;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks that all ranks choose one algorithm for a call that names none. Where one rank names another algorithm, all
 * ranks refuse the call, and the communicator stays usable.
 */
final class ChoiceCheck implements RankCheck {
    /** The algorithm that serves every call, on any nodes. */
    private static final String ANYWHERE = "port";

    @Override
    public void check(RankContext context) {
        long bytes = 64L * context.test().type().byteSize();
        try (DeviceBuffer buffer = context.communicator().allocate(bytes);
                DeviceBuffer fresh = context.communicator().allocate(bytes)) { // no call on it is set up
            Work chosen = context.communicator().execute(call(context, buffer, bytes));
            context.join(chosen);
            context.communicator()
                    .requireEqual(
                            "algorithm that the case's call gets",
                            () -> chosen.algorithm().getBytes(StandardCharsets.UTF_8),
                            name -> new String(name, StandardCharsets.UTF_8));
            if (context.test().world() == 1 || chosen.algorithm().equals(ANYWHERE)) {
                return; // no other rank can choose otherwise
            }
            CollectiveCall other = call(context, fresh, bytes);
            boolean last = context.rank() == context.test().world() - 1;
            try {
                Work work = context.communicator().execute(last ? other.algorithm(ANYWHERE) : other);
                context.report(
                        FindingKind.BEHAVIOUR,
                        "the last rank names " + ANYWHERE + " and the others no algorithm, and the call was accepted;"
                                + " right is InvalidArgumentException on every rank");
                context.join(work);
            } catch (InvalidArgumentException expected) {
                context.join(context.communicator().execute(other));
            }
        }
    }

    private static CollectiveCall call(RankContext context, DeviceBuffer buffer, long bytes) {
        return CollectiveCall.allReduce(buffer.slice(0, bytes), context.test().type());
    }
}
