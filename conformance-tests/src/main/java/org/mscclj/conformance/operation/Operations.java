package org.mscclj.conformance.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Everything that ranks do together, by names. */
public final class Operations {
    private static final String PREPARED = "prepared-";
    private static final List<Collective> COLLECTIVES = List.of(
            Collective.ALLREDUCE,
            Collective.BROADCAST,
            Collective.REDUCE,
            Collective.ALLGATHER,
            Collective.REDUCESCATTER,
            Collective.ALLTOALL,
            Collective.GATHER,
            Collective.SCATTER);
    private static final String MESSAGES = "messages";
    private static final String PARTS = "alltoall-of-parts";
    private static final String BARRIER = "barrier";
    private static final String PREPARE = "prepare";
    private static final String SPLIT = "split";

    /** Puts and signals, which need WINDOWS, and ranks of one node. */
    public static final String WINDOW = "window";

    private Operations() {}

    /** The names of those that need nothing but collectives and messages. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (String how : List.of("", PREPARED)) {
            COLLECTIVES.forEach(collective -> names.add(how + collective.label()));
            names.add(how + MESSAGES);
        }
        names.addAll(List.of(PARTS, BARRIER, PREPARE, SPLIT));
        return names;
    }

    /**
     * Makes one ready. Collective.
     *
     * @param count elements of a part
     */
    public static Step open(String name, Communicator communicator, int count) {
        boolean prepared = name.startsWith(PREPARED);
        String what = prepared ? name.substring(PREPARED.length()) : name;
        return switch (what) {
            case MESSAGES -> messages(communicator, count, prepared);
            case PARTS -> parts(communicator, count);
            case BARRIER -> repeated(communicator::barrier);
            case PREPARE -> preparing(communicator, count);
            case SPLIT -> repeated(() -> split(communicator));
            case WINDOW -> new WindowStep(communicator, count);
            default -> collective(Collective.parse(what), communicator, count, prepared);
        };
    }

    private static Step repeated(Runnable call) {
        return new Step() {
            @Override
            public void run() {
                call.run();
            }

            @Override
            public void close() {
                // nothing is kept
            }
        };
    }

    private static Step collective(Collective collective, Communicator communicator, int count, boolean prepared) {
        if (!COLLECTIVES.contains(collective)) {
            throw InvalidArgumentException.of("operation", collective, "one of " + names());
        }
        int ranks = communicator.size();
        int root = collective.hasRoot() ? 1 % ranks : 0;
        DeviceBuffer input = allocate(communicator, collective.inputSlices(ranks) * count);
        DeviceBuffer output = allocate(communicator, collective.outputSlices(ranks) * count);
        Numbers.write(input, i -> Numbers.of(communicator.rank(), i));
        CollectiveCall call = new CollectiveCall(
                collective,
                input,
                output,
                DataType.INT32,
                collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP,
                root,
                Optional.empty());
        return new CheckedStep(
                collective.label(),
                input,
                output,
                expected(collective, communicator, root, count),
                prepared
                        ? CheckedStep.prepared(communicator, communicator.prepare(call))
                        : CheckedStep.eager(() -> communicator.execute(call).join()));
    }

    private static Optional<IntUnaryOperator> expected(
            Collective collective, Communicator communicator, int root, int count) {
        int ranks = communicator.size();
        int first = communicator.rank() * count;
        boolean defined =
                communicator.rank() == root || (collective != Collective.REDUCE && collective != Collective.GATHER);
        IntUnaryOperator values = switch (collective) {
            case ALLREDUCE, REDUCE -> i -> Numbers.sum(ranks, i);
            case BROADCAST -> i -> Numbers.of(root, i);
            case REDUCESCATTER -> i -> Numbers.sum(ranks, first + i);
            case SCATTER -> i -> Numbers.of(root, first + i);
            case ALLTOALL -> i -> Numbers.of(i / count, first + i % count);
            default -> i -> Numbers.of(i / count, i % count);
        };
        return defined ? Optional.of(values) : Optional.empty();
    }

    private static Step messages(Communicator communicator, int count, boolean prepared) {
        int ranks = communicator.size();
        int from = (communicator.rank() + ranks - 1) % ranks;
        DeviceBuffer input = allocate(communicator, count);
        DeviceBuffer output = allocate(communicator, count);
        Numbers.write(input, i -> Numbers.of(communicator.rank(), i));
        TransferCall call = TransferCall.batch()
                .send(input, (communicator.rank() + 1) % ranks)
                .receive(output, from);
        return new CheckedStep(
                MESSAGES,
                input,
                output,
                Optional.of(i -> Numbers.of(from, i)),
                prepared
                        ? CheckedStep.prepared(communicator, communicator.prepare(call))
                        : CheckedStep.eager(() -> communicator.execute(call).join()));
    }

    private static Step parts(Communicator communicator, int count) {
        int ranks = communicator.size();
        int first = communicator.rank() * count;
        DeviceBuffer input = allocate(communicator, ranks * count);
        DeviceBuffer output = allocate(communicator, ranks * count);
        Numbers.write(input, i -> Numbers.of(communicator.rank(), i));
        TransferCall call = communicator.variable().allToAll(cut(input, ranks, count), cut(output, ranks, count));
        return new CheckedStep(
                PARTS,
                input,
                output,
                Optional.of(i -> Numbers.of(i / count, first + i % count)),
                CheckedStep.eager(() -> communicator.execute(call).join()));
    }

    private static List<DeviceBuffer> cut(DeviceBuffer buffer, int parts, int count) {
        return IntStream.range(0, parts)
                .mapToObj(part -> buffer.slice((long) part * count * Integer.BYTES, (long) count * Integer.BYTES))
                .toList();
    }

    private static Step preparing(Communicator communicator, int count) {
        DeviceBuffer buffer = allocate(communicator, count);
        return new CheckedStep(
                PREPARE,
                buffer,
                communicator.device().allocate(Integer.BYTES),
                Optional.empty(),
                CheckedStep.eager(() -> {
                    try (PreparedOperation operation =
                            communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32))) {
                        operation.run(communicator.timeout());
                    }
                }));
    }

    private static void split(Communicator communicator) {
        List<Integer> all = IntStream.range(0, communicator.size()).boxed().toList();
        try (Communicator child = communicator.split(all, SPLIT).orElseThrow()) {
            child.barrier();
        }
    }

    private static DeviceBuffer allocate(Communicator communicator, int count) {
        return communicator.allocate((long) count * Integer.BYTES);
    }
}
