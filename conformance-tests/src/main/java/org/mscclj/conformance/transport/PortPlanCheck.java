package org.mscclj.conformance.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.suite.Outcome;

/** Checks an allreduce of two ranks by the shipped program whose blocks use only port channels. */
final class PortPlanCheck {
    private static final String PROGRAM = "port";
    private static final List<Integer> COUNTS = List.of(1, 1000, (1 << 18) + 1);
    private static final int LAUNCHES = 10;

    private PortPlanCheck() {}

    /**
     * Checks the plan. It is skipped if the runtime, which uses the best installed transport, uses another transport
     * than this one.
     */
    static Verdict check(TransportPair pair, Function<LocalGroupOptions, LocalGroup> groups) {
        String transport = pair.provider().name();
        LocalGroupOptions options = LocalGroupOptions.ranks(2)
                .ranksPerNode(pair.provider().withinNode() ? 2 : 1)
                .backend(pair.senderDevice().backend())
                .timeout(pair.timeout())
                .name("conformance");
        Queue<String> taken = new ConcurrentLinkedQueue<>();
        Queue<String> problems = new ConcurrentLinkedQueue<>();
        try (LocalGroup group = groups.apply(options)) {
            group.run(communicator -> {
                try (Connection connection =
                        communicator.channels().connect(1 - communicator.rank(), 0, ChannelKind.PORT)) {
                    taken.add(connection.transport());
                }
                for (int count : COUNTS) {
                    String problem = taken.contains(transport) ? allReduce(communicator, count) : "";
                    if (!problem.isEmpty()) {
                        problems.add(problem);
                    }
                }
            });
        }
        return taken.contains(transport)
                ? Verdict.ofProblem(String.join("; ", problems))
                : new Verdict(
                        Outcome.SKIPPED,
                        "port channels take transport " + taken.peek() + ", which is installed and comes before "
                                + transport);
    }

    private static String allReduce(Communicator communicator, int count) {
        long bytes = (long) count * Integer.BYTES;
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer input = communicator.allocate(bytes);
                DeviceBuffer output = communicator.allocate(bytes);
                PreparedOperation operation = communicator.prepare(
                        CollectiveCall.allReduce(input, output, DataType.INT32).algorithm(PROGRAM))) {
            MemorySegment elements = arena.allocate(ValueLayout.JAVA_INT, count);
            String problem = "";
            // Both ranks make the same number of launches, also after a fault.
            for (int launch = 0; launch < LAUNCHES; launch++) {
                for (int i = 0; i < count; i++) {
                    elements.setAtIndex(ValueLayout.JAVA_INT, i, element(communicator.rank(), launch, i));
                }
                input.copyFrom(elements);
                operation.run(communicator.timeout());
                output.copyTo(elements);
                for (int i = 0; i < count && problem.isEmpty(); i++) {
                    int right = element(0, launch, i) + element(1, launch, i);
                    int is = elements.getAtIndex(ValueLayout.JAVA_INT, i);
                    if (is != right) {
                        problem = "rank " + communicator.rank() + ", launch " + launch + " of " + count
                                + " int32: element " + i + " is " + is + ", right is " + right;
                    }
                }
            }
            return problem;
        }
    }

    private static int element(int rank, int launch, int index) {
        return (rank + 1) * 0x9e3779b1 + launch * 0x85ebca6b + index * 31;
    }
}
