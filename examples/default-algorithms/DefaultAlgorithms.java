import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.Algorithm;
import org.mscclj.api.AlgorithmCall;
import org.mscclj.api.AlgorithmCollection;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * MSCCL++'s default algorithms: lists them with what they need, executes each by its name, and picks them by selectors.
 *
 * <pre>{@code ./mscclj java examples/default-algorithms/DefaultAlgorithms.java host 4}</pre>
 */
public final class DefaultAlgorithms {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final DataType TYPE = DataType.FLOAT16;

    /** From this size on, the bytes of a message count more than its hops. */
    private static final long LARGE_BYTES = 16 << 10;

    private final Communicator communicator;
    private final Stream stream;
    private final AlgorithmCollection algorithms = AlgorithmCollection.defaults();

    private DefaultAlgorithms(Communicator communicator, Stream stream) {
        this.communicator = communicator;
        this.stream = stream;
        // As in MSCCL++'s guide: by NVLink multicast where all ranks have it; else the fallback picks.
        boolean multicast = communicator.isNvlsSupported();
        algorithms.setSelector((names, call) -> multicast ? named(names, byMulticast(call)) : Optional.empty());
        algorithms.setFallbackSelector((names, call) -> named(names, withoutMulticast(call)));
    }

    private static Optional<Algorithm> named(Map<String, Algorithm> names, String name) {
        return Optional.ofNullable(names.get(name));
    }

    private static String byMulticast(CallShape call) {
        return call.bytes() < LARGE_BYTES ? "default_allreduce_nvls_packet" : "default_allreduce_nvls_warp_pipeline";
    }

    private static String withoutMulticast(CallShape call) {
        if (call.bytes() < LARGE_BYTES) {
            return "default_allreduce_packet";
        }
        return call.registered() ? "default_allreduce_rsag_zero_copy" : "default_allreduce_fullmesh";
    }

    /** The arguments are the backend and the number of ranks. */
    public static void main(String[] arguments) {
        LocalGroupOptions options = LocalGroupOptions.ranks(Integer.parseInt(arguments[1]))
                .backend(arguments[0])
                .timeout(TIMEOUT);
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(DefaultAlgorithms::run);
        }
        System.out.println("default algorithms: all results are right");
    }

    private static void run(Communicator communicator) {
        long count = LARGE_BYTES / TYPE.byteSize() * communicator.size(); // a multiple of the ranks, for an allgather
        try (Stream stream = communicator.device().createStream();
                TypedBuffer registered = communicator.allocate(TYPE, count);
                TypedBuffer plain = TypedBuffer.allocate(communicator.device(), TYPE, count)) {
            DefaultAlgorithms defaults = new DefaultAlgorithms(communicator, stream);
            for (Algorithm algorithm : defaults.algorithms.all()) {
                defaults.executeByName(algorithm, registered);
            }
            for (TypedBuffer memory : new TypedBuffer[] {registered, plain}) {
                defaults.allReduce(memory.slice(0, 1 << 10));
                defaults.allReduce(memory);
            }
        }
    }

    /** Executes an algorithm with all arguments that MSCCL++'s has, if it can serve the call. */
    private void executeByName(Algorithm algorithm, TypedBuffer tensor) {
        boolean reduces = algorithm.collective() == Collective.ALLREDUCE;
        TypedBuffer input = reduces ? tensor : tensor.part(communicator.rank(), communicator.size());
        AlgorithmCall call = new AlgorithmCall(communicator, input.bytes(), tensor.bytes(), TYPE)
                .op(reduces ? ReduceOp.SUM : ReduceOp.NOP)
                .stream(stream)
                .blocks(2, 0); // thread blocks, and the algorithm's own number of threads
        Optional<String> refusal = algorithm.refusal(call);
        say(algorithm + ": " + refusal.orElse("serves the call; it needs " + algorithm.needs()));
        tensor.fill(-1);
        input.fill(communicator.rank() + 1);
        try {
            algorithm.execute(call).join();
            check(refusal.isEmpty(), algorithm + " has served a call that it refuses");
            if (reduces) {
                checkSum(tensor);
            } else {
                checkParts(tensor);
            }
        } catch (UnsupportedException e) {
            check(refusal.isPresent() && e.getMessage().contains(refusal.get()), "another reason: " + e);
        }
    }

    /** Reduces a tensor in place, by the algorithm that the selectors pick. */
    private void allReduce(TypedBuffer tensor) {
        CallShape shape = communicator.shape(CollectiveCall.allReduce(tensor, tensor));
        Algorithm algorithm = algorithms.select(shape);
        say(shape.bytes() + " bytes, " + (shape.registered() ? "registered" : "not registered") + ": " + algorithm);
        check(algorithm.name().equals(withoutMulticast(shape)), "not expected: " + algorithm);
        tensor.fill(communicator.rank() + 1);
        algorithm
                .execute(new AlgorithmCall(communicator, tensor.bytes(), tensor.bytes(), TYPE)
                        .op(ReduceOp.SUM)
                        .stream(stream))
                .join();
        checkSum(tensor);
    }

    private void say(String line) {
        if (communicator.rank() == 0) {
            System.out.println(line);
        }
    }

    private void checkSum(TypedBuffer tensor) {
        int ranks = communicator.size();
        for (short found : tensor.toShortArray()) {
            check(Float.float16ToFloat(found) == ranks * (ranks + 1) / 2f, "a sum is wrong");
        }
    }

    private void checkParts(TypedBuffer tensor) {
        for (int rank = 0; rank < communicator.size(); rank++) {
            for (short found : tensor.part(rank, communicator.size()).toShortArray()) {
                check(Float.float16ToFloat(found) == rank + 1, "the part of rank " + rank + " is wrong");
            }
        }
    }

    private static void check(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalStateException(otherwise);
        }
    }
}
