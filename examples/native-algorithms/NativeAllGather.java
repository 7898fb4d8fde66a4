import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;

/**
 * An allgather of one's own: each rank's kernel asks the proxy to put the input into the outputs of all peers.
 *
 * <pre>{@code
 * cd examples/native-algorithms
 * ../../mscclj java NativeAllGather.java allgather.cu 2
 * }</pre>
 */
public final class NativeAllGather implements NativeAlgorithm<PeerChannels> {
    private static final String NAME = "native_allgather";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path source;
    private final Parts made = new Parts();
    private DeviceKernel kernel;
    private Peers peers;
    private int rank;
    private int contexts;

    /** The source has the kernel. */
    private NativeAllGather(Path source) {
        this.source = source;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Collective collective() {
        return Collective.ALLGATHER;
    }

    @Override
    public Optional<String> refusal(CallShape shape) {
        return shape.registered()
                ? Optional.empty()
                : Optional.of("peers put into the output, which needs memory of Communicator.allocate");
    }

    @Override
    public void initialise(Communicator communicator) {
        rank = communicator.rank();
        kernel = made.add(communicator.device().compileNative("allgather", source));
        peers = made.add(new Peers(ChannelKind.PORT));
        peers.connect(communicator, 0);
    }

    @Override
    public PeerChannels context(Communicator communicator, CallKind kind) {
        contexts++;
        return PeerChannels.open(communicator, kind, peers, 0);
    }

    @Override
    public void launch(PeerChannels context, CollectiveCall call, LaunchSize size, Stream stream) {
        kernel.launch(
                stream,
                1,
                Math.min(128, kernel.maxThreads()),
                0,
                context.table(),
                peers.connections().size(),
                rank,
                call.input().address(),
                context.inputOffset(call.input()),
                call.output().address(),
                context.outputOffset(call.output()),
                call.input().byteSize());
    }

    @Override
    public void close() {
        made.close();
    }

    /**
     * The arguments are the file of the kernel; the number of ranks, 2 if it is not there; and the most numbers of each
     * rank's input, more than 1,000.
     */
    public static void main(String[] arguments) {
        Path source = Path.of(arguments[0]);
        int ranks = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        int count = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 50_000;
        try (LocalGroup group = LocalGroup.open(
                LocalGroupOptions.ranks(ranks).backend("cuda").timeout(TIMEOUT))) {
            group.run(communicator -> gather(communicator, new NativeAllGather(source), count));
        }
        System.out.println("allgather: all outputs are right on " + ranks + " ranks");
    }

    private static void gather(Communicator communicator, NativeAllGather algorithm, int count) {
        int ranks = communicator.size();
        communicator.algorithms().register(algorithm);
        try (TypedBuffer input = communicator.allocate(DataType.INT32, count);
                TypedBuffer output = communicator.allocate(DataType.INT32, (long) ranks * count)) {
            Stream stream = communicator.stream();
            Runnable work = () -> communicator.execute(CollectiveCall.allGather(input, output), stream);
            double own;
            try {
                gather(communicator, algorithm, input, output);
                own = Times.micros(communicator, stream, work);
            } finally {
                communicator.algorithms().unregister(NAME); // closes the contexts, and then the memory can be closed
            }
            Times.print(communicator, input, own, Times.micros(communicator, stream, work));
        }
    }

    private static void gather(
            Communicator communicator, NativeAllGather algorithm, TypedBuffer input, TypedBuffer output) {
        int ranks = communicator.size();
        // Two sizes at two places of the same memory: one context serves both.
        int[] counts = {1000, (int) input.count() - 7};
        for (int round = 0; round < counts.length; round++) {
            TypedBuffer in = input.slice(7, counts[round]);
            TypedBuffer out = output.slice(5, (long) ranks * counts[round]);
            prepare(communicator, in, out, round);
            communicator.execute(CollectiveCall.allGather(in, out)).join();
            check(communicator, out, round, counts[round]);
        }
        if (algorithm.contexts != 1) {
            throw new IllegalStateException("there are " + algorithm.contexts + " contexts, and not 1");
        }
        inPlace(communicator, output.slice(0, ranks * 1000L));
        replay(communicator, input.slice(0, 1000), output.slice(0, ranks * 1000L));
        if (communicator.rank() == 0) {
            System.out.println(communicator.explain(CollectiveCall.allGather(input, output)));
        }
    }

    private static void inPlace(Communicator communicator, TypedBuffer output) {
        TypedBuffer own = output.part(communicator.rank(), communicator.size());
        prepare(communicator, own, output, 2);
        communicator.execute(CollectiveCall.allGather(own, output)).join();
        check(communicator, output, 2, 1000);
    }

    /** Captures a call, and launches the graph with other inputs. */
    private static void replay(Communicator communicator, TypedBuffer input, TypedBuffer output) {
        Stream stream = communicator.stream();
        try (PreparedOperation operation = communicator.prepare(
                        CollectiveCall.allGather(input, output).algorithm(NAME));
                Graph graph = stream.capture(operation::launch)) {
            for (int round = 3; round <= 5; round++) {
                prepare(communicator, input, output, round);
                graph.launch(stream);
                stream.synchronize(TIMEOUT);
                check(communicator, output, round, 1000);
            }
        }
    }

    private static void prepare(Communicator communicator, TypedBuffer input, TypedBuffer output, int round) {
        output.fill(-1);
        input.copyFrom(numbers(round, communicator.rank(), (int) input.count()));
    }

    private static void check(Communicator communicator, TypedBuffer output, int round, int count) {
        for (int source = 0; source < communicator.size(); source++) {
            int[] found = output.part(source, communicator.size()).toIntArray();
            int[] expected = numbers(round, source, count);
            int at = Arrays.mismatch(found, expected);
            if (at >= 0) {
                throw new IllegalStateException("rank " + communicator.rank() + ", round " + round + ": number " + at
                        + " of rank " + source + " is " + found[at] + ", expected " + expected[at]);
            }
        }
    }

    private static int[] numbers(int round, int rank, int count) {
        int[] numbers = new int[count];
        Arrays.setAll(numbers, at -> (round * 100 + rank) * 1_000_000 + at);
        return numbers;
    }
}
