package org.mscclj.conformance.rank.abort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Quorum;
import org.mscclj.api.UniqueId;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.task.Opened;

/** The calls of a communicator that wait for other ranks while they set something up or end it. */
final class SetUpCalls {
    private static final int BYTES = 64;

    private SetUpCalls() {}

    /** Prepares a call: what all ranks do before some of them make it. */
    @FunctionalInterface
    interface Opening {
        /** Returns the call, which waits for the last rank. */
        Runnable open(RankContext context, Communicator communicator, Opened opened);
    }

    /**
     * A call.
     *
     * @param name its name in messages
     * @param recovers whether it continues although the communicator was aborted before: then only an abort of the
     *     calling rank ends it
     * @param throwing whether it throws after an abort; otherwise it just returns
     */
    record SetUpCall(String name, boolean recovers, boolean throwing, Opening opening) {}

    private static SetUpCall call(String name, Opening opening) {
        return new SetUpCall(name, false, true, opening);
    }

    /** Returns all such calls of a mode. */
    static List<SetUpCall> of(Mode mode) {
        List<SetUpCall> calls = new ArrayList<>(List.of(
                call("a barrier", (_, communicator, _) -> communicator::barrier),
                call(
                        "requireEqual",
                        (_, communicator, _) -> () ->
                                communicator.requireEqual("the same bytes", () -> new byte[] {1, 2}, Arrays::toString)),
                call(
                        "allocate",
                        (_, communicator, _) ->
                                () -> communicator.allocate(BYTES).close()),
                call("a split", (context, communicator, _) -> () -> split(context, communicator)),
                call("prepare", (context, communicator, opened) -> {
                    CollectiveCall sum = sum(context, communicator, opened);
                    return () -> communicator.prepare(sum).close();
                }),
                call("the first execute of its kind", (context, communicator, opened) -> {
                    CollectiveCall sum = sum(context, communicator, opened);
                    return () -> context.join(communicator.execute(sum));
                }),
                new SetUpCall("closing an operation in flight", false, false, SetUpCalls::closeInFlight),
                new SetUpCall(
                        "shrink",
                        true,
                        true,
                        (_, communicator, _) ->
                                () -> communicator.shrink(List.of()).close())));
        if (mode.isOfProcesses()) {
            calls.add(new SetUpCall(
                    "reconfigure", true, true, (context, communicator, _) -> () -> reconfigure(context, communicator)));
        }
        return calls;
    }

    /** Waits for the last rank, in a quorum of its own for each rank. */
    private static void reconfigure(RankContext context, Communicator communicator) {
        List<Integer> members = List.of(context.rank(), context.test().world() - 1);
        Quorum quorum = Quorum.of("conformance-abort-" + context.rank(), members, 0)
                .ranksPerNode(1)
                .uniqueId(UniqueId.create());
        communicator.reconfigure(quorum).close();
    }

    private static void split(RankContext context, Communicator communicator) {
        List<Integer> all = IntStream.range(0, context.test().world()).boxed().toList();
        communicator.split(all, "conformance-aborted").ifPresent(Communicator::close);
    }

    private static CollectiveCall sum(RankContext context, Communicator communicator, Opened opened) {
        DeviceBuffer buffer = opened.add(communicator.device().allocate(BYTES), DeviceBuffer::close);
        return CollectiveCall.allReduce(buffer, context.test().type());
    }

    private static Runnable closeInFlight(RankContext context, Communicator communicator, Opened opened) {
        PreparedOperation operation =
                opened.add(communicator.prepare(sum(context, communicator, opened)), PreparedOperation::close);
        return () -> {
            operation.launch();
            operation.close();
        };
    }
}
