package org.mscclj.conformance.operation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Feature;

/** All operations in which ranks take part together, by name. */
public final class Operations {
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
    private static final String OF_PARTS = "-of-parts";
    private static final String ALLGATHER_OF_PARTS = "allgather" + OF_PARTS;
    private static final String ALLTOALL_OF_PARTS = "alltoall" + OF_PARTS;
    private static final String SCATTER_OF_PARTS = "scatter" + OF_PARTS;
    private static final String GATHER_OF_PARTS = "gather" + OF_PARTS;
    private static final String REDUCESCATTER_OF_PARTS = "reducescatter" + OF_PARTS;
    private static final List<String> PARTS =
            List.of(ALLGATHER_OF_PARTS, ALLTOALL_OF_PARTS, SCATTER_OF_PARTS, GATHER_OF_PARTS, REDUCESCATTER_OF_PARTS);
    private static final Set<String> OF_MESSAGES =
            Set.of(MESSAGES, ALLGATHER_OF_PARTS, ALLTOALL_OF_PARTS, SCATTER_OF_PARTS, GATHER_OF_PARTS);
    private static final String WINDOW = "window";
    private static final String WINDOW_GET = "window-get";
    private static final String OPEN_WINDOW = "open-window";
    private static final Set<String> OF_WINDOWS = Set.of(WINDOW, WINDOW_GET, OPEN_WINDOW);
    private static final String ALLOCATE = "allocate";
    private static final String BARRIER = "barrier";
    private static final String BARRIER_OF_STREAMS = "barrier-of-streams";
    private static final String PREPARE = "prepare";
    private static final String SPLIT = "split";

    private static final long ALLOCATED_BYTES = 4096;

    private Operations() {}

    /** Returns the names of all operations. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Form form : Form.values()) {
            COLLECTIVES.forEach(collective -> names.add(form.prefix() + collective.label()));
            names.add(form.prefix() + MESSAGES);
            names.add(form.prefix() + BARRIER_OF_STREAMS);
            PARTS.forEach(parts -> names.add(form.prefix() + parts));
            names.add(form.prefix() + WINDOW);
            names.add(form.prefix() + WINDOW_GET);
        }
        names.addAll(List.of(OPEN_WINDOW, ALLOCATE, BARRIER, PREPARE, SPLIT));
        return List.copyOf(names);
    }

    /** Returns the names of the operations that need no other features than these. */
    public static List<String> names(Set<Feature> features) {
        return names().stream()
                .filter(name -> features.containsAll(needs(name)))
                .toList();
    }

    /** Returns the features that an operation needs. Operations on windows also need ranks of one node. */
    public static Set<Feature> needs(String name) {
        Form form = form(name);
        String what = name.substring(form.prefix().length());
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        if (form == Form.REPLAYED) {
            features.add(Feature.GRAPH_CAPTURE);
        }
        if (OF_MESSAGES.contains(what)) {
            features.add(Feature.POINT_TO_POINT);
        }
        if (OF_WINDOWS.contains(what)) {
            features.add(Feature.WINDOWS);
        }
        return features;
    }

    private static Form form(String name) {
        return List.of(Form.PREPARED, Form.REPLAYED).stream()
                .filter(form -> name.startsWith(form.prefix()))
                .findFirst()
                .orElse(Form.EAGER);
    }

    /**
     * Prepares an operation. Collective.
     *
     * @param count elements of a part
     * @throws org.mscclj.api.error.UnsupportedException on all ranks, if the backend lacks a feature that the operation
     *     needs
     */
    public static Step open(String name, Communicator communicator, int count) {
        if (!names().contains(name)) {
            throw InvalidArgumentException.of("operation", name, "one of " + names());
        }
        return new EndingStep(make(name, communicator, count));
    }

    private static Step make(String name, Communicator communicator, int count) {
        Form form = form(name);
        PartSteps parts = new PartSteps(communicator, count, form);
        String what = name.substring(form.prefix().length());
        return switch (what) {
            case MESSAGES -> messages(communicator, count, form);
            case ALLGATHER_OF_PARTS -> parts.allGather();
            case ALLTOALL_OF_PARTS -> parts.allToAll();
            case SCATTER_OF_PARTS -> parts.scatter();
            case GATHER_OF_PARTS -> parts.gather();
            case REDUCESCATTER_OF_PARTS -> parts.reduceScatter();
            case BARRIER -> repeated(communicator::barrier);
            case BARRIER_OF_STREAMS -> barrierOfStreams(communicator, form);
            case PREPARE -> preparing(communicator, count);
            case SPLIT -> repeated(() -> split(communicator));
            case ALLOCATE ->
                repeated(() -> communicator.allocate(ALLOCATED_BYTES).close());
            case OPEN_WINDOW -> openingWindows(communicator);
            case WINDOW -> WindowStep.putting(communicator, count, form);
            case WINDOW_GET -> WindowStep.getting(communicator, count, form);
            default -> collective(Collective.parse(what), communicator, count, form);
        };
    }

    /** Repeats a call; closing the step frees the buffers. */
    private static Step repeated(Runnable call, DeviceBuffer... buffers) {
        return new Step() {
            @Override
            public void run() {
                call.run();
            }

            @Override
            public void close() {
                List.of(buffers).forEach(DeviceBuffer::close);
            }
        };
    }

    private static Step collective(Collective collective, Communicator communicator, int count, Form form) {
        int ranks = communicator.size();
        int root = collective.hasRoot() ? 1 % ranks : 0;
        DeviceBuffer input = Numbers.allocate(communicator, collective.inputSlices(ranks) * count);
        DeviceBuffer output = Numbers.allocate(communicator, collective.outputSlices(ranks) * count);
        Numbers.write(input, i -> Numbers.of(communicator.rank(), i));
        CollectiveCall call = new CollectiveCall(
                collective,
                input,
                output,
                DataType.INT32,
                collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP,
                root,
                Optional.empty());
        return CheckedStep.open(
                collective.label(),
                input,
                output,
                expected(collective, communicator, root, count),
                () -> form.making(communicator, () -> communicator.prepare(call), () -> communicator.execute(call)));
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

    private static Step messages(Communicator communicator, int count, Form form) {
        int ranks = communicator.size();
        int from = (communicator.rank() + ranks - 1) % ranks;
        DeviceBuffer input = Numbers.allocate(communicator, count);
        DeviceBuffer output = Numbers.allocate(communicator, count);
        Numbers.write(input, i -> Numbers.of(communicator.rank(), i));
        TransferCall call = TransferCall.batch()
                .send(input, (communicator.rank() + 1) % ranks)
                .receive(output, from);
        return CheckedStep.open(
                MESSAGES,
                input,
                output,
                Optional.of(i -> Numbers.of(from, i)),
                () -> form.making(communicator, () -> communicator.prepare(call), () -> communicator.execute(call)));
    }

    private static Step barrierOfStreams(Communicator communicator, Form form) {
        Making making = form.making(
                communicator,
                () -> communicator.prepare(BarrierCall.STREAMS),
                () -> communicator.execute(BarrierCall.STREAMS));
        return new Step() {
            @Override
            public void run() {
                making.run();
            }

            @Override
            public void close() {
                making.close();
            }
        };
    }

    private static Step preparing(Communicator communicator, int count) {
        DeviceBuffer buffer = Numbers.allocate(communicator, count);
        CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT32);
        Runnable preparing = () -> {
            try (PreparedOperation operation = communicator.prepare(call)) {
                operation.run(communicator.timeout());
            }
        };
        return repeated(preparing, buffer);
    }

    private static Step openingWindows(Communicator communicator) {
        DeviceBuffer memory = communicator.device().allocate(ALLOCATED_BYTES);
        return repeated(() -> communicator.openWindow(memory).close(), memory);
    }

    /**
     * The child communicator stays unused. Its ranks would wait for each other in it, and one rank would find that
     * another rank has given up and closed it.
     */
    private static void split(Communicator communicator) {
        List<Integer> all = IntStream.range(0, communicator.size()).boxed().toList();
        communicator.split(all, SPLIT).orElseThrow().close();
    }
}
