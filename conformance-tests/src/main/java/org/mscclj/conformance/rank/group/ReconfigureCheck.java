package org.mscclj.conformance.rank.group;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Quorum;
import org.mscclj.api.UniqueId;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.scenario.Mode;

/**
 * Checks reconfigurations. All ranks but the last, which does not take part, continue in a new communicator in the
 * opposite order. The old communicator has then ended on all ranks. Ranks that are threads are refused, and stay
 * usable.
 */
final class ReconfigureCheck implements RankCheck {
    private static final int ID_BYTES = 4096;
    /** The rendezvous of ranks that are refused before they use it. */
    private static final String NOWHERE = "localhost:1";

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        if (world == 1) {
            context.report(FindingKind.NO_PART, "there is no rank that could leave");
            return;
        }
        Communicator communicator = context.communicator();
        List<Integer> survivors = IntStream.range(0, world - 1).boxed().toList().reversed();
        Mode mode = context.test().mode();
        Quorum unmet = Quorum.of("conformance-quorum", survivors, 0);
        if (!mode.isOfProcesses()) {
            refuse(context, unmet.address(NOWHERE).secret("secret of the conformance suite"));
            return;
        }
        Quorum met = unmet.uniqueId(idOf(context, survivors.getFirst()));
        Quorum quorum = mode.isOfNodes() ? met.ranksPerNode(1) : met;
        if (context.rank() < world - 1) {
            try (Communicator next = communicator.reconfigure(quorum)) {
                int right = survivors.indexOf(context.rank());
                if (next.rank() != right || next.size() != world - 1) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "rank " + context.rank() + " is rank " + next.rank() + " of " + next.size()
                                    + " after it was reconfigured; right is " + right + " of " + (world - 1));
                }
                ResultChecks.result().check(context.within(next, context.test().world(world - 1)));
            }
        }
        if (!Pause.until(communicator::isAborted, context.timeout())) {
            context.report(FindingKind.BEHAVIOUR, "a communicator that was reconfigured has not ended");
        }
    }

    private static void refuse(RankContext context, Quorum quorum) {
        try (Communicator next = context.communicator().reconfigure(quorum)) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "ranks that are threads were reconfigured into " + next.size()
                            + " ranks; right is UnsupportedException");
        } catch (UnsupportedException expected) {
            ResultChecks.result().check(context);
        }
    }

    /** Broadcasts the unique id that one rank has created. */
    private static UniqueId idOf(RankContext context, int maker) {
        Communicator communicator = context.communicator();
        try (DeviceBuffer buffer = communicator.allocate(ID_BYTES)) {
            byte[] text = new byte[ID_BYTES];
            if (context.rank() == maker) {
                text = Arrays.copyOf(UniqueId.create().text().getBytes(StandardCharsets.US_ASCII), ID_BYTES);
            }
            buffer.copyFrom(MemorySegment.ofArray(text));
            context.join(communicator.execute(
                    CollectiveCall.broadcast(buffer, buffer, context.test().type(), maker)));
            buffer.copyTo(MemorySegment.ofArray(text));
            return UniqueId.parse(
                    new String(text, StandardCharsets.US_ASCII).strip().replace("\0", ""));
        }
    }
}
