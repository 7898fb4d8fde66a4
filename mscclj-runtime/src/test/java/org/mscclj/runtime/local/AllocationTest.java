package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/**
 * A prepared launch allocates nothing, in any thread: neither the caller's nor those that carry out the work.
 *
 * <p>This holds once the VM has compiled the code: until then operations on vectors make objects. So launches are
 * repeated until a whole round of them allocates nothing, which must happen in time.
 */
@Isolated
class AllocationTest {
    private static final int LAUNCHES = 2_000;
    private static final int MAX_ROUNDS = 600;
    private static final long MEMORY_BYTES = 16 << 10;

    /** What a thread may differ by when the same measurement is made twice, far below one byte a launch. */
    private static final long NOISE_BYTES = 1_024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({
        "allreduce_packets_2ranks, 4096",
        "allreduce_packets_2ranks, 4100",
        "allreduce_multicast_2ranks, 4096",
        "allreduce_ring_4ranks, 4096",
        "allreduce_ring_4ranks, 4100",
        "sendrecv_port_2ranks, 4096"
    })
    void aPreparedLaunchAllocatesNothing(String name, long bytes) {
        ExecutionPlan plan = IntegerRanks.example(name);
        requireNoAllocation(name + ", " + bytes + " bytes", plan.worldSize(), (communicator, memory) -> {
            DeviceBuffer input = memory.slice(0, bytes);
            DeviceBuffer output = plan.inPlace() ? input : memory.slice(bytes, bytes);
            return communicator.prepare(PlanCall.of(plan, input, output, DataType.FLOAT32));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "packets, 8, FLOAT32",
        "packets, 4100, FLOAT32",
        "direct, 4100, FLOAT32",
        "scratch, 4100, FLOAT32",
        "port, 4100, FLOAT32",
        "direct, 4100, INT32",
        "direct, 4100, FLOAT64"
    })
    void aPreparedCollectiveAllocatesNothing(String algorithm, long bytes, DataType type) {
        requireNoAllocation(
                algorithm + ", " + bytes + " bytes of " + type,
                3,
                (communicator, memory) -> communicator.prepare(
                        CollectiveCall.allReduce(memory.slice(0, bytes / type.byteSize() * type.byteSize()), type)
                                .algorithm(algorithm)));
    }

    /** By whatever serves them. */
    @ParameterizedTest
    @EnumSource(
            value = Collective.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ALLREDUCE", "SENDRECV", "TEST"})
    void preparedCollectivesOfEveryKindAllocateNothing(Collective collective) {
        long slice = 1200;
        requireNoAllocation(collective.label(), 3, (communicator, memory) -> {
            DeviceBuffer input = memory.slice(0, slice * collective.inputSlices(3));
            DeviceBuffer output = memory.slice(MEMORY_BYTES / 2, slice * collective.outputSlices(3));
            return communicator.prepare(new CollectiveCall(
                    collective,
                    input,
                    output,
                    DataType.FLOAT32,
                    collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP,
                    collective.hasRoot() ? 1 : 0,
                    Optional.empty()));
        });
    }

    @Test
    void preparedAveragesAllocateNothing() {
        requireNoAllocation(
                "averages",
                3,
                (communicator, memory) ->
                        communicator.prepare(CollectiveCall.allReduce(memory.slice(0, 4100), DataType.FLOAT32)
                                .op(ReduceOp.AVG)));
    }

    @Test
    void preparedBarriersOfStreamsAllocateNothing() {
        requireNoAllocation("barriers", 3, (communicator, _) -> communicator.prepare(BarrierCall.STREAMS));
    }

    @ParameterizedTest
    @CsvSource({"64", "4100"})
    void preparedMessagesAllocateNothing(long bytes) {
        requireNoAllocation("messages of " + bytes + " bytes", 2, (communicator, memory) -> {
            int peer = 1 - communicator.rank();
            return communicator.prepare(
                    TransferCall.batch().send(memory.slice(0, bytes), peer).receive(memory.slice(bytes, bytes), peer));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "true, 4100, 1",
        "true, 16384, 1",
        "false, 4100, 1",
        "false, 16384, 1",
        "true, 4100, 2",
        "false, 4100, 2"
    })
    void preparedAccessesAllocateNothing(boolean puts, long bytes, int ranksPerNode) {
        String what = (puts ? "puts" : "gets") + " of " + bytes + " bytes, " + ranksPerNode + " ranks per node";
        requireNoAllocationOf(what, 2, ranksPerNode, (communicator, memory) -> {
            DeviceBuffer buffer = communicator.allocate(bytes);
            Window window = communicator.openWindow(memory);
            int peer = 1 - communicator.rank();
            return new OperationLaunches(
                    window.prepare(puts ? WindowCall.put(buffer, peer, 0) : WindowCall.get(peer, 0, buffer))) {
                @Override
                public void close() {
                    super.close();
                    window.close();
                    buffer.close();
                }
            };
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void preparedSignalsAllocateNothing(int ranksPerNode) {
        requireNoAllocationOf("signals, " + ranksPerNode + " ranks per node", 2, ranksPerNode, SignalLaunches::open);
    }

    @Test
    void aReplayAllocatesNothing() {
        requireNoAllocationOf("replays of two launches", 3, GraphLaunches::capture);
    }

    @Test
    void preparedReductionsOfPartsAllocateNothing() {
        List<Long> counts = List.of(100L, 0L, 500L);
        requireNoAllocation(
                "parts",
                3,
                (communicator, memory) -> communicator.prepare(communicator
                        .variable()
                        .reduceScatter(
                                memory.slice(0, 2400),
                                counts,
                                memory.slice(4096, 4 * counts.get(communicator.rank())),
                                DataType.FLOAT32,
                                ReduceOp.SUM)));
    }

    private static void requireNoAllocation(
            String what, int ranks, BiFunction<Communicator, DeviceBuffer, PreparedOperation> preparing) {
        requireNoAllocationOf(
                what, ranks, (communicator, memory) -> new OperationLaunches(preparing.apply(communicator, memory)));
    }

    private static void requireNoAllocationOf(
            String what, int ranks, BiFunction<Communicator, DeviceBuffer, Launches> preparing) {
        requireNoAllocationOf(what, ranks, ranks, preparing);
    }

    private static void requireNoAllocationOf(
            String what, int ranks, int ranksPerNode, BiFunction<Communicator, DeviceBuffer, Launches> preparing) {
        CyclicBarrier together = new CyclicBarrier(ranks);
        AllocationMeter meter = new AllocationMeter();
        try (LocalGroup group = LocalRanks.open(
                LocalGroupOptions.ranks(ranks).ranksPerNode(ranksPerNode).timeout(IntegerRanks.LIMIT),
                ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(MEMORY_BYTES);
                try (Launches made = preparing.apply(communicator, memory)) {
                    for (int round = 0; round < MAX_ROUNDS && !meter.isClean(); round++) {
                        together.await();
                        for (int launches : new int[] {0, LAUNCHES}) {
                            if (communicator.rank() == 0) {
                                meter.start();
                            }
                            together.await();
                            made.make(launches);
                            together.await();
                            if (communicator.rank() == 0) {
                                meter.stop(launches == 0);
                            }
                            together.await();
                        }
                    }
                }
                communicator.barrier();
                memory.close();
            });
        }
        System.out.println(what + ": " + meter);
        assertTrue(meter.isClean(), () -> LAUNCHES + " launches allocated, in the last of many rounds: " + meter);
    }

    /** What is measured. */
    private interface Launches extends AutoCloseable {
        void make(int times);

        @Override
        void close();
    }

    private static class OperationLaunches implements Launches {
        private final PreparedOperation operation;

        OperationLaunches(PreparedOperation operation) {
            this.operation = operation;
        }

        @Override
        public void make(int times) {
            for (int i = 0; i < times; i++) {
                if (i % 2 == 0) {
                    operation.run(IntegerRanks.LIMIT);
                } else {
                    operation.launch();
                    operation.join(IntegerRanks.LIMIT);
                }
            }
        }

        @Override
        public void close() {
            operation.close();
        }
    }

    /** A signal to the other rank, and one of its. */
    private record SignalLaunches(Window window, PreparedOperation tell, PreparedOperation hear) implements Launches {
        static SignalLaunches open(Communicator communicator, DeviceBuffer memory) {
            Window window = communicator.openWindow(memory);
            int peer = 1 - communicator.rank();
            return new SignalLaunches(
                    window, window.prepare(WindowCall.signal(peer)), window.prepare(WindowCall.waitSignal(peer)));
        }

        @Override
        public void make(int times) {
            for (int i = 0; i < times; i++) {
                tell.launch();
                hear.run(IntegerRanks.LIMIT);
            }
        }

        @Override
        public void close() {
            tell.close();
            hear.close();
            window.close();
        }
    }

    /** Two launches on two streams, as one graph. */
    private record GraphLaunches(Stream stream, Stream branch, Graph graph) implements Launches {
        static GraphLaunches capture(Communicator communicator, DeviceBuffer memory) {
            Stream stream = communicator.stream();
            Stream branch = communicator.device().createStream();
            CollectiveCall call = CollectiveCall.allReduce(memory.slice(0, 4100), DataType.FLOAT32);
            try (PreparedOperation operation = communicator.prepare(call);
                    Event event = communicator.device().createEvent()) {
                Graph graph = stream.capture(() -> {
                    operation.launch(stream);
                    stream.record(event);
                    branch.await(event);
                    operation.launch(branch);
                    branch.record(event);
                    stream.await(event);
                });
                return new GraphLaunches(stream, branch, graph);
            }
        }

        @Override
        public void make(int times) {
            for (int i = 0; i < times; i++) {
                graph.launch(stream);
                if (i % 4 == 0) {
                    stream.synchronize(IntegerRanks.LIMIT);
                }
            }
            stream.synchronize(IntegerRanks.LIMIT);
        }

        @Override
        public void close() {
            graph.close();
            branch.close();
        }
    }

    /**
     * Measures what threads allocate, less what the measurement itself does. Used by one thread, except for
     * {@link #isClean}.
     */
    private static final class AllocationMeter {
        private Map<Thread, Long> before = Map.of();
        private Map<Thread, Long> measuring = Map.of();
        private Map<Thread, Long> launching = Map.of();
        private volatile boolean clean;
        private int rounds;

        boolean isClean() {
            return clean;
        }

        void start() {
            before = byThread();
        }

        /** Ends a measurement: of nothing but itself, or of launches. */
        void stop(boolean ofNothing) {
            Map<Thread, Long> now = byThread();
            now.replaceAll((thread, bytes) -> bytes - before.getOrDefault(thread, 0L));
            if (ofNothing) {
                measuring = now;
            } else {
                now.replaceAll((thread, bytes) -> bytes - measuring.getOrDefault(thread, 0L));
                launching = now;
                clean = now.values().stream().allMatch(bytes -> bytes < NOISE_BYTES);
                rounds++;
            }
        }

        /**
         * What each thread has allocated so far, without the one that tries kernels out in the background for a while.
         */
        private static Map<Thread, Long> byThread() {
            Map<Thread, Long> bytes = new HashMap<>();
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (!thread.getName().equals("mscclj-kernel-warm-up")) {
                    bytes.put(thread, THREADS.getThreadAllocatedBytes(thread.threadId()));
                }
            }
            return bytes;
        }

        @Override
        public String toString() {
            return "round " + rounds + " " + launching;
        }
    }
}
