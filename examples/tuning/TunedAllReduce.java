import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.mscclj.api.AlgorithmCollection;
import org.mscclj.api.Capability;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Tunes an allreduce inside an application: a first group measures every default algorithm with several numbers of
 * blocks and threads, and writes the fastest of each size to a file; a second group follows the file.
 *
 * <pre>{@code
 * cd examples/tuning
 * ../../mscclj java TunedAllReduce.java host 2 my.json
 * }</pre>
 */
public final class TunedAllReduce {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final DataType TYPE = DataType.FLOAT32;
    private static final int LEAST_BYTES = 1 << 10;
    private static final int MOST_BYTES = 1 << 16;
    private static final int[] BLOCKS = {1, 4, 8};

    /** 0 is the engine's own number; a CPU has no other. */
    private static final int[] THREADS = {0, 256};

    private static final int WARM_UP = 3;
    private static final int LAUNCHES = 10;
    private static final int REPLAYS = 5;

    private final Communicator communicator;
    private final TypedBuffer input;
    private final TypedBuffer output;
    private final TypedBuffer time;

    private TunedAllReduce(Communicator communicator, TypedBuffer input, TypedBuffer output, TypedBuffer time) {
        this.communicator = communicator;
        this.input = input;
        this.output = output;
        this.time = time;
    }

    /** The arguments are the backend, the number of ranks, and the file. */
    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[2]);
        LocalGroupOptions options = LocalGroupOptions.ranks(Integer.parseInt(arguments[1]))
                .backend(arguments[0])
                .timeout(TIMEOUT);
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> with(communicator, tuned -> tuned.tune(file)));
        }
        System.out.print(Files.readString(file));
        try (LocalGroup group = LocalGroup.open(options.tuning(file))) {
            group.run(communicator -> with(communicator, TunedAllReduce::use));
        }
        System.out.println("tuning: all sums are right, by the algorithms of the file");
    }

    private interface Task {
        void run(TunedAllReduce tuned);
    }

    private static void with(Communicator communicator, Task task) {
        long count = MOST_BYTES / TYPE.byteSize();
        // Memory of the communicator is MSCCL++'s symmetric memory: peers access it directly.
        try (TypedBuffer input = communicator.allocate(TYPE, count);
                TypedBuffer output = communicator.allocate(TYPE, count);
                TypedBuffer time = communicator.allocate(DataType.FLOAT64, 1)) {
            task.run(new TunedAllReduce(communicator, input, output, time));
        }
    }

    private CollectiveCall call(int bytes) {
        long count = bytes / TYPE.byteSize();
        return CollectiveCall.allReduce(input.slice(0, count), output.slice(0, count));
    }

    /** Measures all candidates, and saves the fastest of each size. */
    private void tune(Path file) {
        List<TuningChoice> choices = new ArrayList<>();
        for (int bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes *= 2) {
            String best = "";
            double least = Double.MAX_VALUE;
            for (String candidate : candidates()) {
                OptionalDouble micros = measure(bytes, candidate);
                if (micros.isPresent() && micros.getAsDouble() < least) {
                    least = micros.getAsDouble();
                    best = candidate;
                }
            }
            if (choices.isEmpty() || !choices.getLast().algorithm().equals(best)) {
                // The first choice is also for smaller messages.
                choices.add(new TuningChoice(
                        Collective.ALLREDUCE,
                        true,
                        choices.isEmpty() ? 0 : bytes,
                        best,
                        "%.1f us".formatted(least)));
            }
        }
        choices.add(new TuningChoice(Collective.ALLREDUCE, true, 2L * MOST_BYTES, TuningChoice.DEFAULT));
        TuningEntry entry = new TuningEntry(communicator.tuningKey(), "by TunedAllReduce", choices);
        if (communicator.rank() == 0) {
            entry.save(file);
        }
    }

    private List<String> candidates() {
        List<String> names = new ArrayList<>();
        for (String program : AlgorithmCollection.defaults().of(Collective.ALLREDUCE).values().stream()
                .flatMap(algorithm -> algorithm.target().stream())
                .filter(program -> communicator.isNvlsSupported() || !program.startsWith("multicast"))
                .distinct()
                .toList()) {
            for (int blocks : BLOCKS) {
                for (int threads : THREADS) {
                    if (threads == 0 || !communicator.device().backend().equals("host")) {
                        names.add(program + new LaunchSize(blocks, threads).suffix());
                    }
                }
            }
        }
        return names;
    }

    /**
     * Returns the mean time of a launch, averaged over the ranks so that all of them choose alike; empty if the
     * algorithm does not serve the call, or serves it wrong.
     */
    private OptionalDouble measure(int bytes, String algorithm) {
        try (PreparedOperation operation =
                communicator.prepare(call(bytes).algorithm(algorithm))) {
            input.fill(communicator.rank() + 1);
            output.fill(-1);
            operation.run(TIMEOUT);
            boolean wrong = !isRight(bytes);
            if (average(wrong ? 1 : 0) > 0) {
                return OptionalDouble.empty(); // on all ranks
            }
            return OptionalDouble.of(average(
                    communicator.capabilities().has(Capability.GRAPH_CAPTURE) ? replayed(operation) : launched(operation)));
        } catch (UnsupportedException e) {
            return OptionalDouble.empty(); // on all ranks
        }
    }

    private double replayed(PreparedOperation operation) {
        Stream stream = communicator.stream();
        try (Graph graph = stream.capture(() -> {
            for (int i = 0; i < LAUNCHES; i++) {
                operation.launch();
            }
        })) {
            graph.launch(stream);
            stream.synchronize(TIMEOUT);
            communicator.barrier();
            long start = System.nanoTime();
            for (int i = 0; i < REPLAYS; i++) {
                graph.launch(stream);
            }
            stream.synchronize(TIMEOUT);
            return micros(start);
        }
    }

    private double launched(PreparedOperation operation) {
        for (int i = 0; i < WARM_UP; i++) {
            operation.launch();
        }
        operation.join(TIMEOUT);
        communicator.barrier();
        long start = System.nanoTime();
        for (int i = 0; i < REPLAYS * LAUNCHES; i++) {
            operation.launch();
        }
        operation.join(TIMEOUT);
        return micros(start);
    }

    private static double micros(long start) {
        return (System.nanoTime() - start) / 1e3 / (REPLAYS * LAUNCHES);
    }

    private double average(double own) {
        time.copyFrom(new double[] {own});
        communicator
                .execute(CollectiveCall.allReduce(time, time).op(ReduceOp.AVG))
                .join();
        return time.toDoubleArray()[0];
    }

    private boolean isRight(int bytes) {
        int ranks = communicator.size();
        float sum = ranks * (ranks + 1) / 2f;
        for (float found : output.slice(0, bytes / TYPE.byteSize()).toFloatArray()) {
            if (found != sum) {
                return false;
            }
        }
        return true;
    }

    /** Calls that name no algorithm follow the file. */
    private void use() {
        for (int bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes *= 2) {
            input.fill(communicator.rank() + 1);
            output.fill(-1);
            communicator.execute(call(bytes)).join();
            if (!isRight(bytes)) {
                throw new IllegalStateException("a sum of " + bytes + " bytes is wrong");
            }
            AlgorithmCandidate chosen =
                    communicator.explain(call(bytes)).chosen().orElseThrow();
            if (!chosen.reason().startsWith("the fastest one for this size by measurement")) {
                throw new IllegalStateException("the file is not followed: " + chosen);
            }
            if (communicator.rank() == 0) {
                System.out.println(bytes + " bytes: " + chosen);
            }
        }
    }
}
