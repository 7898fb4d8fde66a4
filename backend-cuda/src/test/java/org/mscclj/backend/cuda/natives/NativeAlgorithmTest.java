package org.mscclj.backend.cuda.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Algorithm;
import org.mscclj.api.AlgorithmCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;

/** Algorithms that the application has written, on stand-in GPUs, in VMs of their own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NativeAlgorithmTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** What the algorithm was asked for, by rank 0. */
    private static final List<String> CALLS = new CopyOnWriteArrayList<>();

    /** How often rank 1 has closed an algorithm that it could not initialise. */
    private static final AtomicInteger FAILED_CLOSES = new AtomicInteger();

    /** Copies the input to the own part of the output. Has a channel, and uses it for nothing. */
    private static final class OwnPart implements NativeAlgorithm<OwnPart.Channel> {
        private final int rank;
        private final String fault;
        private final boolean fails;

        OwnPart(int rank, String fault) {
            this.rank = rank;
            this.fault = fault;
            this.fails = fault.equals("fails");
        }

        /** What a channel to the other rank consists of, the first part first. */
        record Channel(List<AutoCloseable> parts) implements AutoCloseable {
            @Override
            public void close() throws Exception {
                CALLS.add("close context");
                for (AutoCloseable part : parts.reversed()) {
                    part.close();
                }
            }
        }

        private void note(String call) {
            if (rank == 0) {
                CALLS.add(call);
            }
        }

        @Override
        public String name() {
            return "own_part";
        }

        @Override
        public Collective collective() {
            return Collective.ALLGATHER;
        }

        @Override
        public Optional<String> refusal(CallShape shape) {
            return !shape.registered()
                    ? Optional.of("it needs buffers of Communicator.allocate")
                    : shape.bytes() > 1 << 20 ? Optional.of("it takes at most 1 MiB") : Optional.empty();
        }

        @Override
        public AllowedArguments allowedArguments() {
            return new AllowedArguments(List.of(2, 4), List.of(64), Set.of("counter"), Set.of(DataType.FLOAT64));
        }

        @Override
        public void initialise(Communicator communicator) {
            note("initialise");
            if (fault.equals("does not start") && rank == 1) {
                throw new IllegalStateException("no compiler");
            }
        }

        @Override
        public Channel context(Communicator communicator, CallKind kind) {
            note("context " + kind.type() + " " + kind.output().orElseThrow().byteSize());
            if (fails && rank == 1) {
                throw new IllegalStateException("the kernel of the application does not compile");
            }
            if (fails) {
                return new Channel(List.of());
            }
            int peer = 1 - rank;
            ChannelSetup setup = communicator.channels();
            RegisteredMemory own = setup.register(kind.output().orElseThrow());
            setup.sendMemory(own, peer, 7);
            RegisteredMemory other = setup.receiveMemory(peer, 7);
            Connection connection = setup.connect(peer, 7, ChannelKind.MEMORY);
            return new Channel(List.of(own, other, connection, setup.createSemaphore(connection, 7)));
        }

        @Override
        public void launch(Channel context, CollectiveCall call, LaunchSize size, Stream stream) {
            note("launch " + call.input().byteSize() + size.suffix() + of(call.arguments()));
            long bytes = call.input().byteSize();
            stream.copy(call.input(), call.output().slice(rank * bytes, bytes));
        }

        private static String of(NativeArguments arguments) {
            return arguments.equals(NativeArguments.NONE) ? "" : " (" + arguments + " " + arguments.extras() + ")";
        }

        @Override
        public void close() {
            if (fault.equals("does not start") && rank == 1) {
                FAILED_CLOSES.incrementAndGet();
            }
            note("close");
        }
    }

    /** Two ranks do what an argument says; rank 0 prints what it sees. */
    static final class Ranks {
        private Ranks() {}

        public static void main(String[] arguments) {
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(TIMEOUT))) {
                group.run(communicator -> act(communicator, arguments[0]));
            }
            System.out.println("closed after failures: " + FAILED_CLOSES);
            System.out.println("after: " + CALLS.stream().collect(Collectors.joining(", ")));
        }

        private static void broadcast(Communicator communicator) {
            try (DeviceBuffer input = communicator.device().allocate(16);
                    DeviceBuffer output = communicator.device().allocate(16)) {
                for (int call = 0; call < 2; call++) {
                    communicator
                            .execute(CollectiveCall.broadcast(input, output, DataType.FLOAT32, 0))
                            .join();
                }
                say(
                        communicator,
                        communicator
                                .explain(CollectiveCall.broadcast(input, output, DataType.FLOAT32, 0))
                                .chosen()
                                .orElseThrow()
                                .toString());
            }
        }

        private static void act(Communicator communicator, String what) {
            if (what.equals("installed")) {
                broadcast(communicator);
                return;
            }
            communicator.algorithms().register(new OwnPart(communicator.rank(), what));
            try (DeviceBuffer input = communicator.allocate(4096);
                    DeviceBuffer output = communicator.allocate(8192)) {
                for (long bytes : new long[] {16, 64, 16}) {
                    call(communicator, input.slice(0, bytes), output.slice(0, 2 * bytes));
                }
                try (DeviceBuffer plain = communicator.device().allocate(16)) {
                    say(
                            communicator,
                            communicator
                                    .explain(allGather(plain, output.slice(0, 32)))
                                    .chosen()
                                    .orElseThrow()
                                    .toString());
                }
                if (what.equals("arguments")) {
                    give(communicator, input.slice(0, 16), output.slice(0, 32));
                }
                if (what.equals("closes")) {
                    close(communicator, input.slice(0, 16), output.slice(0, 32));
                }
                if (what.equals("prepares")) {
                    prepare(communicator, input.slice(0, 32), output.slice(0, 64));
                }
                communicator.algorithms().unregister("own_part"); // or it would keep the output
            }
        }

        private static CollectiveCall allGather(DeviceBuffer input, DeviceBuffer output) {
            return CollectiveCall.allGather(input, output, DataType.FLOAT32);
        }

        private static void call(Communicator communicator, DeviceBuffer input, DeviceBuffer output) {
            try {
                communicator.execute(allGather(input, output)).join();
                say(communicator, "done");
            } catch (MsccljException | IllegalStateException e) {
                say(communicator, e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }

        /** Rank 1 closes its communicator. Rank 0 calls until it hears of that. The algorithm waits for no rank. */
        private static void close(Communicator communicator, DeviceBuffer input, DeviceBuffer output) {
            if (communicator.rank() == 1) {
                communicator.close();
                return;
            }
            long start = System.nanoTime();
            String said = "no call has failed";
            while (said.startsWith("no call") && System.nanoTime() - start < TIMEOUT.toNanos() / 4) {
                try {
                    communicator.execute(allGather(input, output)).join();
                } catch (MsccljException e) {
                    said = e.getClass().getSimpleName() + ": " + e.getMessage();
                }
            }
            say(communicator, said);
            Work late = communicator.execute(allGather(input, output));
            communicator.stream().synchronize(TIMEOUT); // it has ended before this rank asks
            say(communicator, late.status().toString());
        }

        private static void prepare(Communicator communicator, DeviceBuffer input, DeviceBuffer output) {
            try (PreparedOperation operation = communicator.prepare(allGather(input, output))) {
                operation.run(TIMEOUT);
                try (Graph graph = communicator.stream().capture(() -> operation.launch(communicator.stream()))) {
                    graph.launch(communicator.stream());
                    communicator.stream().synchronize(TIMEOUT);
                }
                say(communicator, operation.algorithm());
            }
        }

        /** The values of extra parameters differ between ranks and launches; all else is equal. */
        private static void give(Communicator communicator, DeviceBuffer input, DeviceBuffer output) {
            Algorithm algorithm = Algorithm.named(Collective.ALLGATHER, "own_part");
            AlgorithmCall call = new AlgorithmCall(communicator, input, output, DataType.FLOAT32);
            for (long counter : new long[] {10, 20}) {
                Map<String, Long> extras = Map.of("counter", counter + communicator.rank());
                algorithm
                        .execute(call.blocks(4, 64)
                                .arguments(new NativeArguments(true, Optional.of(DataType.FLOAT64), extras)))
                        .join();
            }
            say(communicator, refusal(() -> algorithm.execute(call.blocks(3, 64))));
            NativeArguments unequal = new NativeArguments(communicator.rank() == 1, Optional.empty(), Map.of());
            say(communicator, refusal(() -> algorithm.execute(call.arguments(unequal))));
        }

        private static String refusal(Runnable calling) {
            try {
                calling.run();
                return "not refused";
            } catch (MsccljException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage();
            }
        }

        private static void say(Communicator communicator, String line) {
            if (communicator.rank() == 0) {
                System.out.println(line);
            }
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    private static List<String> lines(String what) {
        List<String> options = new ArrayList<>(ChildJvm.standIns());
        options.add("-D" + InstalledAlgorithm.PROPERTY + "=true");
        try (ChildJvm jvm = new ChildJvm(
                Ranks.class, options, Map.of("STANDIN_DEVICES", "2", "STANDIN_MULTIPROCESSORS", "132"), what)) {
            List<String> lines = new ArrayList<>();
            do {
                lines.add(jvm.hear());
            } while (!lines.getLast().startsWith("after: "));
            return lines;
        }
    }

    @Test
    void oneContextServesCallsOfAllSizes() {
        List<String> lines = lines("executes");
        assertEquals(List.of("done", "done", "done"), lines.subList(0, 3));
        assertTrue(lines.get(3).startsWith("shipped program "), lines.get(3));
        assertEquals(
                "after: initialise, context float32 8192, launch 16, launch 64, launch 16, close context, close context,"
                        + " close",
                lines.getLast());
    }

    @Test
    void theServiceLoaderFindsAlgorithms() {
        assertEquals(
                "native algorithm installed: chosen, the first native algorithm that can serve the call",
                lines("installed").getFirst());
    }

    @Test
    void preparedCallsAreCapturedToo() {
        List<String> lines = lines("prepares");
        assertEquals("own_part", lines.get(4));
        assertTrue(lines.getLast().contains("launch 16, launch 32, launch 32, close context"), lines.getLast());
    }

    @Test
    void argumentsReachTheLaunch() {
        List<String> lines = lines("arguments");
        assertTrue(
                lines.get(4).startsWith("UnsupportedException: ")
                        && lines.get(4).contains("allowed: [2, 4]"),
                lines.get(4));
        assertTrue(lines.get(5).contains("symmetric memory"), lines.get(5));
        String with = " (symmetric memory, sums in float64, extra parameters [counter] ";
        assertTrue(
                lines.getLast()
                        .contains("launch 16@4x64" + with + "{counter=10}), launch 16@4x64" + with + "{counter=20})"),
                lines.getLast());
    }

    @Test
    void aCallWithoutARankThatHasClosedFails() {
        List<String> lines = lines("closes");
        assertTrue(lines.get(4).startsWith("RankLostException: allgather of 32 bytes"), lines.get(4));
        assertTrue(lines.get(4).contains("rank 1 has closed its communicator"), lines.get(4));
        assertEquals("FAILED", lines.get(5));
    }

    @Test
    void aContextThatFailsOnOneRankFailsOnAll() {
        List<String> lines = lines("fails");
        assertTrue(lines.getFirst().contains("rank 1"), lines.getFirst());
        assertTrue(lines.getFirst().contains("the kernel of the application does not compile"), lines.getFirst());
        String once = "context float32 8192, close context, ";
        assertEquals("after: initialise, " + once + once + once + "close", lines.getLast()); // again for each call
    }

    @Test
    void anAlgorithmThatIsNotInitialisedOnOneRankIsInitialisedAgainOnAll() {
        List<String> lines = lines("does not start");
        assertTrue(lines.getFirst().contains("rank 1"), lines.getFirst());
        assertTrue(lines.getFirst().contains("no compiler"), lines.getFirst());
        assertTrue(lines.contains("closed after failures: 3"), lines::toString);
        String once = "initialise, close";
        assertEquals("after: " + String.join(", ", once, once, once), lines.getLast());
    }
}
