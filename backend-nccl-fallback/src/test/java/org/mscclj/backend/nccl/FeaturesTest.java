package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.VariableCalls;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.NcclFunction;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.backend.nccl.ffm.StandIn.Kind;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackRegistration;

/** What communicators can do beyond collectives, with a time limit and without one, in each version. */
@Timeout(60)
@Execution(ExecutionMode.SAME_THREAD) // counts are those of a library
class FeaturesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);
    private static final List<Integer> VERSIONS = List.of(21003, 21403, 21801, 21903, 22705, 23004);

    private final StandInDevice device = new StandInDevice("cuda");

    /** The calls of one rank. */
    @FunctionalInterface
    private interface Part {
        void run(int rank, FallbackCommunicator communicator);
    }

    /** A test of a feature that the versions with a function have, with and without a limit. */
    private Stream<DynamicTest> inVersions(NcclFunction needed, int ranks, Part part) {
        return VERSIONS.stream()
                .map(FeaturesTest::standIn)
                .flatMap(standIn -> Stream.of(false, true)
                        .filter(bounded -> !bounded || standIn.library().has(NcclFunction.COMM_INIT_RANK_CONFIG))
                        .map(bounded -> DynamicTest.dynamicTest(
                                standIn.library().version() + (bounded ? " with a limit" : ""),
                                () -> check(standIn, needed, ranks, bounded, part))));
    }

    private void check(StandIn standIn, NcclFunction needed, int ranks, boolean bounded, Part part) {
        boolean has = standIn.library().has(needed);
        onRanks(standIn, ranks, bounded, (rank, communicator) -> {
            if (has || (needed == NcclFunction.COMM_SHRINK && rank == 1)) { // a lost rank calls nothing
                part.run(rank, communicator);
                return;
            }
            String text = assertThrows(UnsupportedException.class, () -> part.run(rank, communicator))
                    .getMessage();
            assertTrue(
                    text.contains(" \u2265 " + needed.since() + ", found "
                            + standIn.library().version()),
                    text);
        });
        for (Kind kind : Kind.values()) {
            assertEquals(0, standIn.live(kind), kind.name());
        }
    }

    private void onRanks(StandIn standIn, int ranks, boolean bounded, Part part) {
        NcclProvider provider = new NcclProvider(standIn.library(), standIn::nccl);
        byte[] id = provider.createId();
        List<CompletableFuture<Void>> ends = IntStream.range(0, ranks)
                .mapToObj(rank -> CompletableFuture.runAsync(
                        () -> {
                            try (FallbackCommunicator communicator = bounded
                                    ? provider.open(device, id, rank, ranks, LONG)
                                    : provider.open(device, id, rank, ranks)) {
                                part.run(rank, communicator);
                            }
                        },
                        THREADS))
                .toList();
        ends.forEach(CompletableFuture::join);
    }

    /** A library of this class, since other classes would change the counts. */
    private static StandIn standIn(int code) {
        return StandIn.variant("features-" + code, "-DVERSION=" + code);
    }

    private DeviceBuffer ints(int... values) {
        DeviceBuffer buffer = device.allocate((long) values.length * Integer.BYTES);
        for (int i = 0; i < values.length; i++) {
            buffer.segment().setAtIndex(JAVA_INT, i, values[i]);
        }
        return buffer;
    }

    private static List<Integer> values(DeviceBuffer buffer) {
        return IntStream.of(buffer.segment().toArray(JAVA_INT)).boxed().toList();
    }

    private int sum(FallbackCommunicator communicator, int own) {
        DeviceBuffer buffer = ints(own);
        communicator.enqueue(
                Collective.ALLREDUCE, buffer, buffer, DataType.INT32, ReduceOp.SUM, 0, device.createStream());
        return buffer.segment().get(JAVA_INT, 0);
    }

    @TestFactory
    Stream<DynamicTest> aSplitOrdersRanksByKey() {
        return inVersions(NcclFunction.COMM_SPLIT, 3, (rank, communicator) -> {
            // Ranks 0 and 2 in reverse order; rank 1 alone takes no part.
            Optional<FallbackCommunicator> part = communicator.split(rank == 1 ? -1 : 0, -rank);
            assertEquals(rank == 1, part.isEmpty());
            if (part.isPresent()) {
                try (FallbackCommunicator own = part.get()) {
                    DeviceBuffer output = ints(0, 0);
                    own.enqueue(
                            Collective.ALLGATHER,
                            ints(rank),
                            output,
                            DataType.INT32,
                            ReduceOp.NOP,
                            0,
                            device.createStream());
                    assertEquals(List.of(2, 0), values(output));
                }
            }
            assertEquals(3, sum(communicator, rank), "the parent still works");
            assertThrows(InvalidArgumentException.class, () -> communicator.split(-2, 0));
        });
    }

    @TestFactory
    Stream<DynamicTest> aShrunkCommunicatorKeepsTheOrder() {
        return inVersions(NcclFunction.COMM_SHRINK, 3, (rank, communicator) -> {
            if (rank == 1) {
                for (List<Integer> wrong : List.of(List.of(1), List.<Integer>of(), List.of(3))) {
                    assertThrows(InvalidArgumentException.class, () -> communicator.shrink(wrong, false));
                }
                return; // a lost rank
            }
            try (FallbackCommunicator rest = communicator.shrink(List.of(1, 1), false)) {
                DeviceBuffer output = ints(0, 0);
                rest.enqueue(
                        Collective.ALLGATHER,
                        ints(rank),
                        output,
                        DataType.INT32,
                        ReduceOp.NOP,
                        0,
                        device.createStream());
                assertEquals(List.of(0, 2), values(output));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> memoryOfTheDeviceIsRegistered() {
        return inVersions(NcclFunction.COMM_REGISTER, 2, (rank, communicator) -> {
            DeviceBuffer buffer = ints(rank + 1);
            try (FallbackRegistration registration = communicator.register(buffer, false)) {
                assertEquals(3, sum(communicator, rank + 1));
                registration.close();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> memoryOfTheDeviceBecomesAWindow() {
        return inVersions(NcclFunction.COMM_WINDOW_REGISTER, 2, (rank, communicator) -> {
            DeviceBuffer buffer = device.allocate(4096);
            FallbackRegistration window = communicator.register(buffer, true);
            try (DeviceBuffer own = communicator.allocate(64, true)) {
                assertEquals(64, own.byteSize());
            }
            window.close();
        });
    }

    @TestFactory
    Stream<DynamicTest> premultipliedSumsHaveAFactorForEachRank() {
        return inVersions(NcclFunction.RED_OP_CREATE_PRE_MUL_SUM, 2, (rank, communicator) -> {
            DeviceBuffer factor = device.allocate(Float.BYTES);
            factor.segment().set(JAVA_FLOAT, 0, 0.5f);
            List<ReduceOp> ops =
                    List.of(rank == 0 ? ReduceOp.premulSum(3) : ReduceOp.premulSum(factor), ReduceOp.premulSum(-2));
            List<Float> results = new ArrayList<>();
            for (ReduceOp op : ops) {
                DeviceBuffer buffer = device.allocate(Float.BYTES);
                buffer.segment().set(JAVA_FLOAT, 0, rank + 1);
                communicator.enqueue(
                        Collective.ALLREDUCE, buffer, buffer, DataType.FLOAT32, op, 0, device.createStream());
                results.add(buffer.segment().get(JAVA_FLOAT, 0));
            }
            assertEquals(List.of(3f + 1f, -6f), results);
        });
    }

    /** Parts of 0, 1 and 2 elements; the calls of the library's interface for such parts are batches of transfers. */
    @TestFactory
    Stream<DynamicTest> partsMayHaveSizesOfTheirOwn() {
        return inVersions(NcclFunction.SEND, 3, (rank, communicator) -> {
            VariableCalls calls = new VariableCalls(rank, 3);
            DeviceBuffer own = device.allocate((long) rank * Integer.BYTES);
            own.segment().fill((byte) 0);
            for (int i = 0; i < rank; i++) {
                own.segment().setAtIndex(JAVA_INT, i, 10 * rank + i);
            }
            DeviceBuffer all = ints(0, 0, 0);
            communicator.transfer(
                    calls.allGather(own, all, List.of(0L, 1L, 2L), DataType.INT32), device.createStream());
            assertEquals(List.of(10, 20, 21), values(all));

            DeviceBuffer output = device.allocate((long) rank * Integer.BYTES);
            List<DeviceBuffer> inputs = List.of(device.allocate(0), ints(rank), ints(rank, 100 * rank));
            communicator.reduceScatter(
                    new ReduceScatterCall(inputs, output, DataType.INT32, ReduceOp.MAX), device.createStream());
            assertEquals(List.of(List.of(), List.of(2), List.of(2, 200)).get(rank), values(output));
        });
    }

    @TestFactory
    Stream<DynamicTest> aRingOfSendsAndReceivesMoves() {
        return inVersions(NcclFunction.SEND, 3, (rank, communicator) -> {
            DeviceBuffer received = ints(0);
            communicator.transfer(
                    TransferCall.batch().send(ints(rank), (rank + 1) % 3).receive(received, (rank + 2) % 3),
                    device.createStream());
            assertEquals(List.of((rank + 2) % 3), values(received));
            assertThrows(
                    InvalidArgumentException.class,
                    () -> communicator.transfer(TransferCall.batch().send(received, 3), device.createStream()));
        });
    }

    @Test
    void partsOfAReduceScatterAreChecked() {
        onRanks(standIn(22705), 1, false, (_, communicator) -> {
            for (ReduceScatterCall wrong : List.of(
                    new ReduceScatterCall(List.of(), ints(1), DataType.INT32, ReduceOp.SUM),
                    new ReduceScatterCall(List.of(ints(1, 2)), ints(1), DataType.INT32, ReduceOp.SUM),
                    new ReduceScatterCall(List.of(ints(1)), ints(1), DataType.INT64, ReduceOp.SUM))) {
                assertThrows(
                        InvalidArgumentException.class, () -> communicator.reduceScatter(wrong, device.createStream()));
            }
            ReduceScatterCall bitwise = new ReduceScatterCall(List.of(ints(1)), ints(1), DataType.INT32, ReduceOp.BOR);
            assertThrows(UnsupportedException.class, () -> communicator.reduceScatter(bitwise, device.createStream()));
        });
    }

    @Test
    void aLimitNeedsALaterVersion() {
        StandIn standIn = standIn(21003);
        NcclProvider provider = new NcclProvider(standIn.library(), standIn::nccl);
        String text = assertThrows(
                        UnsupportedException.class, () -> provider.open(device, provider.createId(), 0, 1, LONG))
                .getMessage();
        assertEquals("ncclCommInitRankConfig needs NCCL \u2265 2.14.3, found 2.10.3; install a later one", text);
    }

    @Test
    void rcclServesDevicesOfItsVendor() {
        StandIn standIn = StandIn.variant("rccl", StandIn.RCCL);
        NcclProvider provider = new NcclProvider(standIn.library(), standIn::nccl);
        assertTrue(provider.description().startsWith("RCCL 2.27.5, "), provider.description());
        assertEquals("rccl", provider.name());
        assertTrue(provider.supports(new StandInDevice("rocm")));
        assertFalse(provider.supports(device));
        assertThrows(InvalidArgumentException.class, () -> provider.open(device, provider.createId(), 0, 1));
    }
}
