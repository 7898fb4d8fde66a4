import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Chunk;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.SyncType;

/**
 * Calls of a {@link CustomCommunicator}: each is served by what its size, the number of ranks and the mode of its
 * buffers ask for.
 *
 * <pre>{@code ./mscclj java examples/custom-communicator/CustomCommunicatorExample.java host 4}</pre>
 */
public final class CustomCommunicatorExample {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final DataType TYPE = DataType.FLOAT16;
    private static final int SMALL = 1 << 10; // elements
    private static final int LARGE = 1 << 15;

    /** The worlds for which there is a plan. */
    private static final List<Integer> WORLDS = List.of(2, 4);

    private final Communicator communicator;
    private final CustomCommunicator custom;
    private final Optional<Stream> stream;

    private CustomCommunicatorExample(Communicator communicator, Stream stream) {
        this.communicator = communicator;
        this.custom = new CustomCommunicator(communicator);
        this.stream = Optional.of(stream);
    }

    /** The arguments are the backend and the number of ranks. */
    public static void main(String[] arguments) {
        LocalGroupOptions options = LocalGroupOptions.ranks(Integer.parseInt(arguments[1]))
                .backend(arguments[0])
                .timeout(TIMEOUT);
        List<CollectiveProgram> programs =
                WORLDS.stream().map(CustomCommunicatorExample::program).toList();
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> {
                programs.forEach(communicator.plans()::register);
                try (Stream stream = communicator.device().createStream()) {
                    new CustomCommunicatorExample(communicator, stream).run();
                }
            });
        }
        System.out.println("custom communicator: all results are right");
    }

    /** Each rank reads one chunk of all peers, and writes the sum to all of them. */
    private static CollectiveProgram program(int ranks) {
        AlgoSpec spec = AlgoSpec.builder("own_allreduce_" + ranks, ProgramCollective.allReduce(ranks, 1, true))
                .messageSizes(32 << 10, 48L << 30)
                .tag(CustomCommunicator.LARGE, 1)
                .build();
        return CollectiveProgram.define(spec, program -> {
            for (Rank rank : program.ranks()) {
                Chunk own = rank.input().chunk(rank.id());
                List<MemoryChannel> peers = program.ranks().stream()
                        .filter(peer -> peer.id() != rank.id())
                        .map(peer -> program.memoryChannel(peer.id(), rank.id()))
                        .toList();
                peers.forEach(peer -> peer.relaxedSignal(0));
                peers.forEach(peer -> peer.relaxedAwait(0, SyncType.AFTER));
                for (MemoryChannel peer : peers) {
                    Chunk theirs = program.rank(peer.destination()).input().chunk(rank.id());
                    peer.reduce(own, List.of(theirs), 0);
                }
                for (MemoryChannel peer : peers) {
                    peer.put(program.rank(peer.destination()).input().chunk(rank.id()), own, 0);
                }
                peers.forEach(peer -> peer.signal(0, SyncType.BEFORE));
                peers.forEach(peer -> peer.await(0, SyncType.AFTER));
            }
        });
    }

    private void run() {
        int ranks = communicator.size();
        String packets = ranks <= 2 ? "default_allreduce_allpair_packet" : "default_allreduce_packet";
        String large = WORLDS.contains(ranks) ? "own_allreduce_" + ranks : "default_allreduce_fullmesh";
        try (TypedBuffer registered = communicator.allocate(TYPE, (long) LARGE * ranks);
                TypedBuffer plain = TypedBuffer.allocate(communicator.device(), TYPE, LARGE)) {
            reduce(registered.slice(0, SMALL), ReduceOp.SUM, packets);
            reduce(registered.slice(0, LARGE), ReduceOp.SUM, large);
            reduce(registered.slice(0, LARGE), ReduceOp.MAX, large);
            reduce(plain.slice(0, SMALL), ReduceOp.SUM, packets);
            reduce(plain, ReduceOp.SUM, "default_allreduce_fullmesh"); // peers cannot access these buffers
            gather(registered, "default_allgather_fullmesh");
            broadcast(plain, "the communicator's choice"); // neither the registry nor the collection has one
        }
    }

    private void reduce(TypedBuffer tensor, ReduceOp op, String expected) {
        int ranks = communicator.size();
        tensor.fill(communicator.rank() + 1);
        tell("allreduce by " + op, tensor, expected, custom.allReduce(tensor, op, stream));
        check(tensor, op.equals(ReduceOp.MAX) ? ranks : ranks * (ranks + 1) / 2f);
    }

    private void gather(TypedBuffer all, String expected) {
        TypedBuffer own = all.part(communicator.rank(), communicator.size());
        all.fill(-1);
        own.fill(communicator.rank() + 1);
        tell("allgather", all, expected, custom.allGather(own, all, stream));
        for (int rank = 0; rank < communicator.size(); rank++) {
            check(all.part(rank, communicator.size()), rank + 1);
        }
    }

    private void broadcast(TypedBuffer tensor, String expected) {
        tensor.fill(communicator.rank() + 1);
        tell("broadcast", tensor, expected, custom.broadcast(tensor, 0, stream));
        check(tensor, 1);
    }

    private void tell(String what, TypedBuffer tensor, String expected, String found) {
        if (!found.equals(expected)) {
            throw new IllegalStateException(what + " is served by " + found + ", expected: " + expected);
        }
        if (communicator.rank() == 0) {
            System.out.println(what + " of " + tensor.bytes().byteSize() + " bytes: " + found);
        }
    }

    private static void check(TypedBuffer tensor, float expected) {
        for (short found : tensor.toShortArray()) {
            if (Float.float16ToFloat(found) != expected) {
                throw new IllegalStateException(
                        "found " + Float.float16ToFloat(found) + ", expected " + expected);
            }
        }
    }
}
