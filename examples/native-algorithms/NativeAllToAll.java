import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;

/**
 * An alltoall of one's own: each rank's kernel stores into the outputs of all peers, one peer in each step.
 *
 * <pre>{@code
 * cd examples/native-algorithms
 * ../../mscclj java NativeAllToAll.java alltoall.cu 2
 * }</pre>
 */
public final class NativeAllToAll implements NativeAlgorithm<NativeAllToAll.Context> {
    private static final String NAME = "native_alltoall";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path source;
    private final Parts made = new Parts();
    private DeviceKernel kernel;
    private Peers peers;
    private int rank;

    /** The source has the kernel. */
    private NativeAllToAll(Path source) {
        this.source = source;
    }

    /** Channels, and the counter by which the blocks of a launch meet. */
    record Context(PeerChannels channels, DeviceBuffer syncer) implements AutoCloseable {
        @Override
        public void close() {
            channels.close();
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Collective collective() {
        return Collective.ALLTOALL;
    }

    @Override
    public Optional<String> refusal(CallShape shape) {
        if (!shape.registered()) {
            return Optional.of("peers store into the output, which needs memory of Communicator.allocate");
        }
        if (shape.inPlace()) {
            return Optional.of("peers would overwrite parts that are not sent yet");
        }
        return shape.ranks() < 2 ? Optional.of("it has a block for each peer, and there is none") : Optional.empty();
    }

    @Override
    public void initialise(Communicator communicator) {
        rank = communicator.rank();
        kernel = made.add(communicator.device().compileNative("alltoall", source));
        peers = made.add(new Peers(ChannelKind.MEMORY));
        peers.connect(communicator, 0);
    }

    @Override
    public Context context(Communicator communicator, CallKind kind) {
        PeerChannels channels = PeerChannels.open(communicator, kind, peers, 0);
        return new Context(channels, channels.add(communicator.device().allocate(Long.BYTES)));
    }

    @Override
    public void launch(Context context, CollectiveCall call, LaunchSize size, Stream stream) {
        int blocks = peers.connections().size();
        int ranks = blocks + 1;
        kernel.launch(
                stream,
                blocks,
                Math.min(512, kernel.maxThreads()),
                0,
                context.channels().table(),
                context.syncer().address(),
                rank,
                ranks,
                call.input().address(),
                context.channels().inputOffset(call.input()),
                call.output().address(),
                context.channels().outputOffset(call.output()),
                call.input().byteSize() / ranks);
    }

    @Override
    public void close() {
        made.close();
    }

    /**
     * The arguments are the file of the kernel; the number of ranks, 2 if it is not there; and the numbers that a rank
     * sends to each rank.
     */
    public static void main(String[] arguments) {
        Path source = Path.of(arguments[0]);
        int ranks = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        int count = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 20_000;
        try (LocalGroup group = LocalGroup.open(
                LocalGroupOptions.ranks(ranks).backend("cuda").timeout(TIMEOUT))) {
            group.run(communicator -> exchange(communicator, new NativeAllToAll(source), count));
        }
        System.out.println("alltoall: all outputs are right on " + ranks + " ranks");
    }

    private static void exchange(Communicator communicator, NativeAllToAll algorithm, int count) {
        int ranks = communicator.size();
        communicator.algorithms().register(algorithm);
        try (TypedBuffer input = communicator.allocate(DataType.INT32, (long) ranks * count);
                TypedBuffer output = communicator.allocate(DataType.INT32, (long) ranks * count)) {
            Stream stream = communicator.stream();
            Runnable work = () -> communicator.execute(CollectiveCall.allToAll(input, output), stream);
            double own;
            try {
                exchange(communicator, input, output);
                own = Times.micros(communicator, stream, work);
            } finally {
                communicator.algorithms().unregister(NAME); // closes the contexts, and then the memory can be closed
            }
            Times.print(communicator, input, own, Times.micros(communicator, stream, work));
        }
    }

    private static void exchange(Communicator communicator, TypedBuffer input, TypedBuffer output) {
        int ranks = communicator.size();
        for (int count : new int[] {1, 333, (int) input.count() / ranks}) {
            TypedBuffer in = input.slice(0, (long) ranks * count);
            TypedBuffer out = output.slice(0, (long) ranks * count);
            fill(communicator.rank(), ranks, in);
            out.fill(-1);
            communicator.execute(CollectiveCall.allToAll(in, out).algorithm(NAME)).join();
            check(communicator.rank(), ranks, out);
        }
        // A call that the algorithm refuses is served by a program of mscclj.
        CollectiveCall inPlace = CollectiveCall.allToAll(input, input);
        fill(communicator.rank(), ranks, input);
        communicator.execute(inPlace).join();
        check(communicator.rank(), ranks, input);
        if (communicator.rank() == 0) {
            System.out.println(communicator.explain(CollectiveCall.allToAll(input, output)));
            System.out.println(communicator.explain(inPlace));
        }
    }

    private static void fill(int rank, int ranks, TypedBuffer input) {
        int count = (int) input.count() / ranks;
        int[] numbers = new int[ranks * count];
        for (int at = 0; at < numbers.length; at++) {
            numbers[at] = number(rank, at / count, at % count);
        }
        input.copyFrom(numbers);
    }

    private static void check(int rank, int ranks, TypedBuffer output) {
        int[] numbers = output.toIntArray();
        int count = numbers.length / ranks;
        for (int at = 0; at < numbers.length; at++) {
            int expected = number(at / count, rank, at % count);
            if (numbers[at] != expected) {
                throw new IllegalStateException("rank " + rank + ": number " + at % count + " of rank " + at / count
                        + " is " + numbers[at] + ", expected " + expected);
            }
        }
    }

    /** What one rank sends to another. */
    private static int number(int source, int destination, int at) {
        return (source * 100 + destination) * 100_000 + at;
    }
}
