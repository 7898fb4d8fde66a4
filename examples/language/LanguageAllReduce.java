import java.time.Duration;
import java.util.List;
import org.mscclj.api.Algorithm;
import org.mscclj.api.AlgorithmCall;
import org.mscclj.api.Capability;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Chunk;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.SwitchChannel;
import org.mscclj.language.SyncType;
import org.mscclj.plan.BufferType;

/**
 * An allreduce in the language: the one of MSCCL++'s guide, by a switch, and one by memory channels for devices without
 * multicast. The communicator verifies both, and chooses among them.
 *
 * <pre>{@code ./mscclj java examples/language/LanguageAllReduce.java host 4}</pre>
 */
public final class LanguageAllReduce {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final DataType TYPE = DataType.FLOAT16;

    /** The programs serve messages from this size on; the program of MSCCL++'s guide begins at 1 MiB. */
    private static final int LEAST_BYTES = 16 << 10;

    private LanguageAllReduce() {}

    private static AlgoSpec.Builder spec(String name, int ranks) {
        return AlgoSpec.builder(name, ProgramCollective.allReduce(ranks, 1, true))
                .ranksPerNode(ranks)
                .instances(2)
                .threadsPerBlock(1024)
                .messageSizes(LEAST_BYTES, 48L << 30);
    }

    /** The switch reduces one chunk for each rank, and stores the sum at all ranks. */
    static CollectiveProgram nvls(AlgoSpec spec) {
        return CollectiveProgram.define(spec, program -> {
            List<Integer> all = program.ranks().stream().map(Rank::id).toList();
            SwitchChannel multicast = program.switchChannel(all, BufferType.INPUT);
            for (Rank rank : program.ranks()) {
                List<MemoryChannel> peers = peers(program, rank);
                begin(peers);
                Chunk own = rank.input().chunk(rank.id());
                multicast.atRank(rank.id()).reduce(rank.id(), 1, own, 0);
                multicast.atRank(rank.id()).broadcast(own, rank.id(), 1, 0);
                end(peers);
            }
        });
    }

    /** Each rank reads one chunk of all peers, and writes the sum to all of them. */
    static CollectiveProgram direct(AlgoSpec spec) {
        return CollectiveProgram.define(spec, program -> {
            for (Rank rank : program.ranks()) {
                List<MemoryChannel> peers = peers(program, rank);
                begin(peers);
                Chunk own = rank.input().chunk(rank.id());
                for (MemoryChannel peer : peers) {
                    peer.reduce(own, List.of(ofPeer(program, peer, rank)), 0);
                }
                for (MemoryChannel peer : peers) {
                    peer.put(ofPeer(program, peer, rank), own, 0);
                }
                end(peers);
            }
        });
    }

    private static List<MemoryChannel> peers(ProgramBuilder program, Rank rank) {
        return program.ranks().stream()
                .filter(peer -> peer.id() != rank.id())
                .map(peer -> program.memoryChannel(peer.id(), rank.id()))
                .toList();
    }

    /** The chunk of a peer's input that a rank sums up. */
    private static Chunk ofPeer(ProgramBuilder program, MemoryChannel peer, Rank rank) {
        return program.rank(peer.destination()).input().chunk(rank.id());
    }

    /** All inputs are ready. */
    private static void begin(List<MemoryChannel> peers) {
        peers.forEach(peer -> peer.relaxedSignal(0));
        peers.forEach(peer -> peer.relaxedAwait(0, SyncType.AFTER));
    }

    /** All sums are in all outputs. */
    private static void end(List<MemoryChannel> peers) {
        peers.forEach(peer -> peer.signal(0, SyncType.BEFORE));
        peers.forEach(peer -> peer.await(0, SyncType.AFTER));
    }

    /** The arguments are the backend and the number of ranks. */
    public static void main(String[] arguments) {
        int ranks = Integer.parseInt(arguments[1]);
        CollectiveProgram nvls = nvls(spec("allreduce_nvls", ranks).tag("nvls", 1).build());
        CollectiveProgram direct = direct(spec("allreduce_direct", ranks).build());
        LocalGroupOptions options = LocalGroupOptions.ranks(ranks)
                .backend(arguments[0])
                .timeout(TIMEOUT)
                .verifyPlans(PlanVerification.REQUIRE); // a plan that is not proved is refused
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> run(communicator, nvls, direct));
        }
        System.out.println("language: all sums are right");
    }

    private static void run(Communicator communicator, CollectiveProgram nvls, CollectiveProgram direct) {
        PlanHandle byMulticast = communicator.plans().register(nvls); // compiles it
        PlanHandle byMemory = communicator.plans().register(direct);
        communicator.plans().setSelector((candidates, _) -> candidates.stream()
                .filter(candidate -> candidate.tags().containsKey("nvls"))
                .findFirst()); // the default selector takes the first candidate
        boolean multicast = communicator.capabilities().has(Capability.MULTICAST);
        String chosen = (multicast ? byMulticast : byMemory).id();
        try (TypedBuffer tensor = communicator.allocate(TYPE, LEAST_BYTES);
                Stream stream = communicator.device().createStream()) {
            // The communicator chooses: a plan of the registry first, where one fits.
            CollectiveCall call = CollectiveCall.allReduce(tensor, tensor);
            reduce(communicator, tensor, chosen, () -> communicator.execute(call, stream).join());

            // By name, as MSCCL++'s algorithm.execute does.
            Algorithm algorithm = Algorithm.named(Collective.ALLREDUCE, byMemory.id());
            AlgorithmCall arguments = new AlgorithmCall(communicator, tensor.bytes(), tensor.bytes(), TYPE);
            reduce(communicator, tensor, byMemory.id() + " by name", () -> algorithm
                    .execute(arguments.op(ReduceOp.SUM).stream(stream))
                    .join());

            // By the plan itself, as MSCCL++'s executor.execute does; registered or not.
            PlanCall plan = PlanCall.of(byMemory.plan(), tensor.bytes(), tensor.bytes(), TYPE);
            reduce(communicator, tensor, byMemory.id() + " by its plan", () -> communicator
                    .execute(plan, stream)
                    .join());

            // A message below the limit of the programs: a shipped program serves it.
            TypedBuffer small = tensor.slice(0, 64);
            CollectiveCall other = CollectiveCall.allReduce(small, small);
            String shipped = communicator.explain(other).chosen().orElseThrow().name();
            reduce(communicator, small, shipped, () -> communicator.execute(other, stream).join());

            String named = communicator.explain(call).chosen().orElseThrow().name();
            if (!named.equals(chosen) || shipped.startsWith("allreduce_")) {
                throw new IllegalStateException("chosen: " + named + " and " + shipped);
            }
        }
    }

    private static void reduce(Communicator communicator, TypedBuffer tensor, String by, Runnable call) {
        int ranks = communicator.size();
        tensor.fill(communicator.rank() + 1);
        call.run();
        for (short found : tensor.toShortArray()) {
            if (Float.float16ToFloat(found) != ranks * (ranks + 1) / 2f) {
                throw new IllegalStateException("a sum by " + by + " is wrong");
            }
        }
        if (communicator.rank() == 0) {
            System.out.println(tensor.bytes().byteSize() + " bytes by " + by);
        }
    }
}
