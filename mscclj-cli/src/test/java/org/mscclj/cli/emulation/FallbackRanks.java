package org.mscclj.cli.emulation;

import java.time.Duration;
import java.util.ServiceLoader;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.TransferCall;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/**
 * Two ranks on emulated GPUs that call the fallback. Argument: {@code provider} for calls of the provider by ranks that
 * are threads; {@code group} for calls of communicators of such ranks; {@code process} for those of this process, which
 * is one of the ranks. Prints {@code right}, or fails.
 */
public final class FallbackRanks {
    private static final int RANKS = 2;
    private static final int COUNT = 1_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Device device;
    private final int rank;
    private final Stream stream;

    private FallbackRanks(Device device, int rank) {
        this.device = device;
        this.rank = rank;
        this.stream = device.createStream();
    }

    public static void main(String[] arguments) {
        switch (arguments[0]) {
            case "provider" -> {
                FallbackProvider provider =
                        ServiceLoader.load(FallbackProvider.class).findFirst().orElseThrow();
                byte[] id = provider.createId();
                try (LocalGroup group = group()) {
                    group.run(communicator -> callProvider(communicator, provider, id));
                }
            }
            case "group" -> {
                try (LocalGroup group = group()) {
                    group.run(FallbackRanks::callCommunicator);
                }
            }
            default -> {
                try (Communicator communicator = Communicator.open(
                        CommunicatorOptions.fromEnvironment().backend("cuda").timeout(LIMIT))) {
                    callCommunicator(communicator);
                }
            }
        }
        System.out.println("right");
    }

    private static LocalGroup group() {
        return LocalGroup.open(LocalGroupOptions.ranks(RANKS).backend("cuda"));
    }

    private static void callProvider(Communicator communicator, FallbackProvider provider, byte[] id) {
        int rank = communicator.rank();
        FallbackRanks ranks = new FallbackRanks(communicator.device(), rank);
        try (ranks.stream;
                FallbackCommunicator library =
                        provider.open((BackendDevice) communicator.device(), id, rank, RANKS, LIMIT)) {
            ranks.callAll(library);
            ranks.replay(library);
            ranks.transfer(library);
        }
    }

    private DeviceBuffer ints(int count, IntUnaryOperator value) {
        return IntBuffers.of(device, count, value);
    }

    /** Element i of rank r's input is {@code 10 * r + i}. Copies before and after are in the order of the stream. */
    private void callAll(FallbackCommunicator library) {
        for (Collective collective : new Collective[] {
            Collective.ALLREDUCE,
            Collective.ALLGATHER,
            Collective.REDUCESCATTER,
            Collective.BROADCAST,
            Collective.ALLTOALL
        }) {
            int inputs = COUNT * collective.inputSlices(RANKS);
            int outputs = COUNT * collective.outputSlices(RANKS);
            try (DeviceBuffer given = ints(inputs, i -> 10 * rank + i);
                    DeviceBuffer input = ints(inputs, _ -> -1);
                    DeviceBuffer output = ints(outputs, _ -> -1);
                    DeviceBuffer taken = ints(outputs, _ -> -1)) {
                stream.copy(given, input);
                ReduceOp op = collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP;
                library.enqueue(collective, input, output, DataType.INT32, op, 1, stream);
                stream.copy(output, taken);
                stream.synchronize(LIMIT);
                IntBuffers.require(collective.label(), taken, i -> switch (collective) {
                    case ALLREDUCE -> 10 + 2 * i;
                    case ALLGATHER -> 10 * (i / COUNT) + i % COUNT;
                    case REDUCESCATTER -> 10 + 2 * (rank * COUNT + i);
                    case BROADCAST -> 10 + i;
                    default -> 10 * (i / COUNT) + rank * COUNT + i % COUNT;
                });
            }
        }
    }

    private void replay(FallbackCommunicator library) {
        try (DeviceBuffer input = ints(COUNT, _ -> 0);
                DeviceBuffer output = ints(COUNT, _ -> 0)) {
            Runnable work =
                    () -> library.enqueue(Collective.ALLREDUCE, input, output, DataType.INT32, ReduceOp.MAX, 0, stream);
            try (Graph graph = stream.capture(work)) {
                for (int round = 0; round < 3; round++) {
                    int own = 100 * round + rank;
                    IntBuffers.set(input, i -> own + i);
                    graph.launch(stream);
                    stream.synchronize(LIMIT);
                    int largest = 100 * round + RANKS - 1;
                    IntBuffers.require("replay " + round, output, i -> largest + i);
                }
            }
        }
    }

    private void transfer(FallbackCommunicator library) {
        try (DeviceBuffer output = ints(COUNT, i -> 1_000 * rank + i);
                DeviceBuffer input = ints(COUNT, _ -> 0)) {
            library.transfer(TransferCall.batch().send(output, 1 - rank).receive(input, 1 - rank), stream);
            stream.synchronize(LIMIT);
            IntBuffers.require("transfer", input, i -> 1_000 * (1 - rank) + i);
        }
    }

    /** A call of the communicator, which the environment gives to the fallback. */
    private static void callCommunicator(Communicator communicator) {
        FallbackRanks ranks = new FallbackRanks(communicator.device(), communicator.rank());
        try (ranks.stream;
                DeviceBuffer buffer = ranks.ints(COUNT, i -> 10 * ranks.rank + i)) {
            Selection selection = communicator.explain(CollectiveCall.allReduce(buffer, DataType.INT32));
            if (!selection.chosen().orElseThrow().name().equals("nccl")) {
                throw new IllegalStateException(selection.toString());
            }
            for (int round = 0; round < 3; round++) {
                IntBuffers.set(buffer, i -> 10 * ranks.rank + i);
                communicator
                        .allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM)
                        .join(LIMIT);
                IntBuffers.require(
                        "allreduce", buffer, i -> IntStream.range(0, RANKS).sum() * 10 + 2 * i);
            }
        }
    }
}
