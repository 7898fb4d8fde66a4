package org.mscclj.conformance.rank.result;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.VariableCalls;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Launching;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks variable-size collectives that move data, with parts of any sizes, 0 included. The parts are buffers of their
 * own, and slices of one buffer. Each call runs once by the convenience call and then as a prepared operation, or by
 * replays.
 */
final class PartMovesCheck implements RankCheck {
    private static final List<Collective> COLLECTIVES =
            List.of(Collective.ALLGATHER, Collective.ALLTOALL, Collective.SCATTER, Collective.GATHER);
    private static final int LAUNCHES = 4;
    private static final byte UNTOUCHED = 0x5a;

    @Override
    public boolean canReplay() {
        return true;
    }

    /** The part that one rank sends to another. A part that a rank sends to all has the name of the part for rank 0. */
    private record Part(int from, int to) {
        /**
         * Returns the elements of a part: none from odd ranks to odd ranks, and none to rank 0 from every third rank.
         */
        int elements(RankContext context) {
            boolean none = (from % 2 == 1 && to % 2 == 1) || (to == 0 && from % 3 == 1);
            return none ? 0 : Math.toIntExact(context.test().count()) * (from + 1) + to;
        }

        int bytes(RankContext context) {
            return elements(context) * context.test().type().byteSize();
        }

        byte[] content(RankContext context, int launch) {
            byte[] content = new byte[bytes(context)];
            new Random(context.test().seed() + 1000L * launch + 100L * from + to).nextBytes(content);
            return content;
        }
    }

    /**
     * What a rank sends and receives.
     *
     * @param inputs the parts of its input, in order
     * @param outputs the parts of its output, in order
     */
    private record Move(Collective collective, int root, List<Part> inputs, List<Part> outputs) {
        static Move of(Collective collective, int rank, int world) {
            int root = world - 1;
            List<Integer> all = IntStream.range(0, world).boxed().toList();
            return switch (collective) {
                case ALLGATHER ->
                    new Move(
                            collective,
                            root,
                            List.of(new Part(rank, 0)),
                            all.stream().map(peer -> new Part(peer, 0)).toList());
                case ALLTOALL ->
                    new Move(
                            collective,
                            root,
                            all.stream().map(peer -> new Part(rank, peer)).toList(),
                            all.stream().map(peer -> new Part(peer, rank)).toList());
                case SCATTER ->
                    new Move(
                            collective,
                            root,
                            rank == root
                                    ? all.stream()
                                            .map(peer -> new Part(root, peer))
                                            .toList()
                                    : List.of(),
                            List.of(new Part(root, rank)));
                default ->
                    new Move(
                            collective,
                            root,
                            List.of(new Part(rank, root)),
                            rank == root
                                    ? all.stream()
                                            .map(peer -> new Part(peer, root))
                                            .toList()
                                    : List.of());
            };
        }

        private static byte[] joined(RankContext context, List<Part> parts, int launch) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            parts.forEach(part -> bytes.writeBytes(part.content(context, launch)));
            return bytes.toByteArray();
        }

        private static List<Long> counts(RankContext context, List<Part> parts) {
            return parts.stream().map(part -> (long) part.elements(context)).toList();
        }

        private static List<DeviceBuffer> buffers(RankContext context, List<Part> parts, DeviceBuffer whole) {
            return IntStream.range(0, parts.size())
                    .mapToObj(part -> whole.slice(
                            parts.subList(0, part).stream()
                                    .mapToLong(before -> before.bytes(context))
                                    .sum(),
                            parts.get(part).bytes(context)))
                    .toList();
        }

        TransferCall ofBuffers(RankContext context, DeviceBuffer input, DeviceBuffer output) {
            VariableCalls variable = context.communicator().variable();
            return switch (collective) {
                case ALLGATHER -> variable.allGather(input, buffers(context, outputs, output));
                case ALLTOALL -> variable.allToAll(buffers(context, inputs, input), buffers(context, outputs, output));
                case SCATTER -> variable.scatter(buffers(context, inputs, input), output, root);
                default -> variable.gather(input, buffers(context, outputs, output), root);
            };
        }

        TransferCall ofOneBuffer(RankContext context, DeviceBuffer input, DeviceBuffer output) {
            VariableCalls variable = context.communicator().variable();
            List<Long> sent = counts(context, inputs);
            List<Long> received = counts(context, outputs);
            return switch (collective) {
                case ALLGATHER ->
                    variable.allGather(input, output, received, context.test().type());
                case ALLTOALL ->
                    variable.allToAll(
                            input, sent, output, received, context.test().type());
                case SCATTER ->
                    variable.scatter(input, sent, output, context.test().type(), root);
                default ->
                    variable.gather(input, output, received, context.test().type(), root);
            };
        }
    }

    @Override
    public void check(RankContext context) {
        for (Collective collective : COLLECTIVES) {
            Move move = Move.of(collective, context.rank(), context.test().world());
            try (DeviceBuffer input = allocate(context, move.inputs);
                    DeviceBuffer output = allocate(context, move.outputs)) {
                launch(context, move, "buffers", input, output, move.ofBuffers(context, input, output));
                launch(context, move, "one buffer", input, output, move.ofOneBuffer(context, input, output));
            }
        }
    }

    /** Allocates exactly the bytes of the parts. */
    private static DeviceBuffer allocate(RankContext context, List<Part> parts) {
        return context.communicator()
                .device()
                .allocate(parts.stream().mapToLong(part -> part.bytes(context)).sum());
    }

    private static void launch(
            RankContext context, Move move, String form, DeviceBuffer input, DeviceBuffer output, TransferCall call) {
        Communicator communicator = context.communicator();
        String what = move.collective + " of parts of " + form;
        try (PreparedOperation operation = communicator.prepare(call);
                Launching launching = Launching.of(context, operation)) {
            communicator.barrier(); // a kernel that waits for a message blocks allocations on its GPU
            launch(context, move, what, 0, input, output, () -> context.join(communicator.execute(call)));
            for (int launch = 1; launch < LAUNCHES; launch++) {
                launch(context, move, what, launch, input, output, launching::run);
            }
        }
    }

    private static void launch(
            RankContext context,
            Move move,
            String what,
            int launch,
            DeviceBuffer input,
            DeviceBuffer output,
            Runnable launching) {
        byte[] sent = Move.joined(context, move.inputs, launch);
        byte[] right = Move.joined(context, move.outputs, launch);
        byte[] found = new byte[right.length];
        Arrays.fill(found, UNTOUCHED);
        input.copyFrom(MemorySegment.ofArray(sent));
        output.copyFrom(MemorySegment.ofArray(found));
        launching.run();
        output.copyTo(MemorySegment.ofArray(found));
        int at = Arrays.mismatch(right, found);
        if (at >= 0) {
            context.report(
                    FindingKind.WRONG,
                    what + ", launch " + launch + ": byte " + at + " is " + found[at] + ", right is " + right[at]);
        }
        byte[] after = new byte[sent.length];
        input.copyTo(MemorySegment.ofArray(after));
        if (!Arrays.equals(sent, after)) {
            context.report(FindingKind.INPUT_CHANGED, what + ", launch " + launch + ": the input was changed");
        }
    }
}
