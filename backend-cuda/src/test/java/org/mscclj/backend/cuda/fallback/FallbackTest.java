package org.mscclj.backend.cuda.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Graph;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;

/** Calls that another library carries out, on stand-in GPUs, in VMs of their own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FallbackTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Two ranks do what an argument says; rank 0 prints what it sees. */
    static final class Ranks {
        private Ranks() {}

        public static void main(String[] arguments) {
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(TIMEOUT))) {
                group.run(communicator -> act(communicator, arguments[0]));
            } catch (MsccljException e) {
                System.out.println("group: " + e.getMessage());
            }
            System.out.println("after: " + sorted());
        }

        private static void act(Communicator communicator, String what) {
            switch (what) {
                case "named" -> named(communicator);
                case "default" -> {
                    call(communicator, DataType.FLOAT32, 4, "");
                    broadcast(communicator);
                }
                case "refused" -> {
                    call(communicator, DataType.INT8, 4, "fake");
                    say(communicator, "opened: " + !FakeFallback.CALLS.isEmpty());
                    communicator.barrier();
                    call(communicator, DataType.FLOAT32, 4, "fake");
                }
                case "roots" -> roots(communicator);
                case "barrier" -> {
                    communicator.execute(BarrierCall.STREAMS).join();
                    say(communicator, "opened: " + !FakeFallback.CALLS.isEmpty());
                }
                case "twice" -> {
                    call(communicator, DataType.FLOAT32, 4, "fake");
                    call(communicator, DataType.FLOAT32, 4, "fake");
                }
                case "fails" -> {
                    call(communicator, DataType.FLOAT32, 4, "fake");
                    communicator.barrier();
                    FakeFallback.fail();
                    call(communicator, DataType.FLOAT32, 4, "fake");
                }
                case "aborts" -> {
                    call(communicator, DataType.FLOAT32, 4, "fake");
                    communicator.barrier();
                    communicator.abort("the test is over");
                    while (FakeFallback.CALLS.stream()
                                    .filter(call -> call.startsWith("abort"))
                                    .count()
                            < 2) {
                        Thread.onSpinWait();
                    }
                }
                default -> throw new IllegalArgumentException(what);
            }
        }

        private static void say(Communicator communicator, String line) {
            if (communicator.rank() == 0) {
                System.out.println(line);
            }
        }

        private static void call(Communicator communicator, DataType type, int elements, String algorithm) {
            try (TypedBuffer buffer = communicator.allocate(type, elements);
                    TypedBuffer output = communicator.allocate(type, elements)) {
                CollectiveCall call = CollectiveCall.allReduce(buffer.bytes(), output.bytes(), type)
                        .op(ReduceOp.SUM);
                communicator
                        .execute(algorithm.isEmpty() ? call : call.algorithm(algorithm))
                        .join();
                say(communicator, "done");
            } catch (MsccljException e) {
                say(communicator, e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }

        private static void broadcast(Communicator communicator) {
            try (TypedBuffer buffer = communicator.allocate(DataType.FLOAT32, 4)) {
                say(
                        communicator,
                        communicator
                                .prepare(CollectiveCall.broadcast(buffer.bytes(), buffer.bytes(), DataType.FLOAT32, 0))
                                .algorithm());
            }
        }

        private static void roots(Communicator communicator) {
            try (TypedBuffer buffer = communicator.allocate(DataType.FLOAT32, 4)) {
                for (int root : new int[] {0, 1, 0}) {
                    communicator
                            .prepare(CollectiveCall.broadcast(buffer.bytes(), buffer.bytes(), DataType.FLOAT32, root)
                                    .algorithm("fake"))
                            .close();
                }
            }
        }

        /** Of two sizes, then prepared, then captured. */
        private static void named(Communicator communicator) {
            call(communicator, DataType.FLOAT32, 4, "fake");
            call(communicator, DataType.FLOAT32, 6, "fake");
            try (TypedBuffer input = communicator.allocate(DataType.FLOAT32, 2);
                    TypedBuffer output = communicator.allocate(DataType.FLOAT32, 2);
                    PreparedOperation operation = communicator.prepare(
                            CollectiveCall.allReduce(input.bytes(), output.bytes(), DataType.FLOAT32)
                                    .op(ReduceOp.SUM)
                                    .algorithm("fake"))) {
                float[] values = new float[2];
                input.copyFrom(new float[] {3, 4});
                operation.run(TIMEOUT);
                output.copyTo(values);
                say(communicator, operation.algorithm() + " " + values[0] + " " + values[1]);
                try (Graph graph = communicator.stream().capture(() -> operation.launch(communicator.stream()))) {
                    input.copyFrom(new float[] {5, 6});
                    graph.launch(communicator.stream());
                    communicator.stream().synchronize(TIMEOUT);
                }
                output.copyTo(values);
                say(communicator, "graph " + values[0] + " " + values[1]);
            }
        }

        private static String sorted() {
            return FakeFallback.CALLS.stream().sorted().collect(Collectors.joining(", "));
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    private static List<String> lines(String what, String... properties) {
        List<String> options = new ArrayList<>(ChildJvm.standIns());
        for (String property : properties) {
            options.add("-D" + property);
        }
        try (ChildJvm jvm = new ChildJvm(
                Ranks.class, options, Map.of("STANDIN_DEVICES", "2", "STANDIN_MULTIPROCESSORS", "132"), what)) {
            List<String> lines = new ArrayList<>();
            do {
                lines.add(jvm.hear());
            } while (!lines.getLast().startsWith("after: "));
            return lines;
        }
    }

    private static void assertStarts(String start, String line) {
        assertTrue(line.startsWith(start), line);
    }

    @Test
    void aNamedFallbackServesAnySizePreparedAndCaptured() {
        List<String> lines = lines("named", FakeFallback.PROPERTY + "=usable");
        assertEquals(List.of("done", "done", "fake 3.0 4.0", "graph 5.0 6.0"), lines.subList(0, 4));
        assertEquals(
                "after: allreduce 16 by 0, allreduce 16 by 1, allreduce 24 by 0, allreduce 24 by 1,"
                        + " allreduce 4 by 0, allreduce 4 by 1, allreduce 8 by 0, allreduce 8 by 0, allreduce 8 by 1,"
                        + " allreduce 8 by 1, close 0, close 1, createId, open the id 0 of 2, open the id 1 of 2",
                lines.getLast());
    }

    @Test
    void withoutANameItIsNotOpened() {
        List<String> lines = lines("default", FakeFallback.PROPERTY + "=usable");
        assertEquals("done", lines.getFirst());
        assertEquals("after: ", lines.getLast());
    }

    @Test
    void theUserGivesItCollectives() {
        List<String> lines = lines(
                "default",
                FakeFallback.PROPERTY + "=usable",
                "mscclj.force.nccl.fallback.operation=allgather, AllReduce");
        assertEquals("done", lines.getFirst());
        assertTrue(!lines.get(1).equals("fake"), lines::toString);
        assertTrue(lines.getLast().contains("allreduce 16 by 1"), lines::toString);
    }

    @Test
    void whenTheUserGivesItAllCollectivesBarriersDoNotOpenIt() {
        List<String> lines =
                lines("barrier", FakeFallback.PROPERTY + "=usable", "mscclj.force.nccl.fallback.operation=all");
        assertEquals(List.of("opened: false", "after: "), lines);
    }

    @Test
    void whatItDoesNotServeIsRefusedOnEveryRank() {
        List<String> lines = lines("refused", FakeFallback.PROPERTY + "=usable");
        assertStarts("UnsupportedException: no algorithm serves allreduce of int8", lines.getFirst());
        assertTrue(lines.getFirst().endsWith("; fake: it has no bytes; use float32"), lines.getFirst());
        assertEquals("opened: false", lines.get(1));
        assertEquals("done", lines.get(2));
    }

    @Test
    void oneThatCannotBeUsedIsNotNamedInVain() {
        List<String> lines = lines("refused", FakeFallback.PROPERTY + "=libfake.so was not found");
        assertStarts("UnsupportedException: no algorithm serves ", lines.getFirst());
        assertTrue(lines.getFirst().endsWith("fake: libfake.so was not found"), lines.getFirst());
        assertEquals("after: ", lines.getLast());
    }

    @Test
    void itsFailureEndsTheCommunicator() {
        List<String> lines = lines("fails", FakeFallback.PROPERTY + "=usable");
        assertEquals("done", lines.getFirst());
        assertStarts("BackendException: ", lines.get(1));
        assertTrue(lines.get(1).contains("fake has failed: an unhandled error"), lines.get(1));
    }

    @Test
    void anAbortOfTheCommunicatorEndsItsCalls() {
        List<String> lines = lines("aborts", FakeFallback.PROPERTY + "=usable");
        assertStarts("after: abort 0, abort 1, ", lines.getLast());
        assertTrue(lines.getLast().contains("close 0, close 1"), lines::toString);
    }

    @Test
    void eachRootHasAFirstCall() {
        String once = "broadcast 4 by 0, broadcast 4 by 0, broadcast 4 by 1, broadcast 4 by 1, ";
        assertStarts(
                "after: " + once + "close 0",
                lines("roots", FakeFallback.PROPERTY + "=usable").getLast());
    }

    @Test
    void aFirstCallThatFailsOnOneRankEndsTheCommunicatorOnEveryRank() {
        List<String> lines = lines("twice", FakeFallback.PROPERTY + "=usable", "test.fallback.does.not.call=true");
        assertTrue(lines.getFirst().contains("rank 1"), lines::toString);
        assertTrue(lines.getFirst().contains("no buffers"), lines::toString);
        assertTrue(lines.getLast().contains("abort 0, abort 1, allreduce 4 by 0, close 0"), lines::toString);
    }

    @Test
    void aRankThatCannotOpenItFailsTheCallOnEveryRank() {
        List<String> lines = lines("named", FakeFallback.PROPERTY + "=usable", "test.fallback.does.not.open=true");
        assertStarts("BackendException: ", lines.getFirst());
        assertTrue(lines.getFirst().contains("rank 1"), lines.getFirst());
        assertTrue(lines.getLast().contains("abort 0, close 0"), lines::toString);
    }
}
