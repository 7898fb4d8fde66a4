package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.backend.nccl.ffm.StandIn.Kind;
import org.mscclj.spi.Availability;
import org.mscclj.spi.fallback.FallbackCommunicator;

/** The provider over a stand-in for NCCL, with ranks as threads. */
@Timeout(60)
class NcclProviderTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int COUNT = 5;
    private static final long BAD_STREAM = 0xbad;
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

    private final NcclProvider provider = new NcclProvider();
    private final StandInDevice device = new StandInDevice("cuda");

    /** The calls of one rank. */
    @FunctionalInterface
    private interface Part {
        void run(int rank, FallbackCommunicator communicator);
    }

    private StandIn standIn;

    @BeforeEach
    void standIn() {
        standIn = StandIn.require();
    }

    @AfterEach
    void nothingIsUsedAfterItsEnd() {
        assertEquals(0, standIn.live(Kind.MISUSES));
    }

    @Test
    void describesItself() {
        assertEquals(Availability.available(), provider.probe());
        assertTrue(provider.description().startsWith("NCCL 2.27.5, "), provider.description());
        assertTrue(provider.description().contains("NCCL_NVLS_ENABLE="), provider.description());
        assertTrue(provider.supports(device));
        assertFalse(provider.supports(new StandInDevice("host")));
        assertFalse(provider.capabilities().dataTypes().contains(DataType.INT16));
    }

    @TestFactory
    Stream<DynamicTest> collectivesComputeTheirDefinition() {
        return Stream.of(1, 2, 3)
                .flatMap(ranks -> Stream.of(
                                Collective.ALLREDUCE,
                                Collective.ALLGATHER,
                                Collective.REDUCESCATTER,
                                Collective.ALLTOALL,
                                Collective.BROADCAST,
                                Collective.REDUCE,
                                Collective.SCATTER,
                                Collective.GATHER)
                        .flatMap(collective -> Stream.of(false, true)
                                .filter(inPlace -> !inPlace || collective != Collective.ALLTOALL)
                                .flatMap(inPlace -> Stream.of(Duration.ZERO, LIMIT)
                                        .map(limit -> DynamicTest.dynamicTest(
                                                collective + " of " + ranks + (inPlace ? " in place" : "")
                                                        + (limit.isZero() ? "" : " with a limit"),
                                                () -> onRanks(
                                                        ranks,
                                                        limit,
                                                        (rank, c) -> compute(collective, inPlace, rank, ranks, c)))))));
    }

    /** Element i of rank r's input is {@code 100 * r + i}; the root is the last rank. */
    private void compute(
            Collective collective, boolean inPlace, int rank, int ranks, FallbackCommunicator communicator) {
        int root = ranks - 1;
        long part = COUNT * (long) Integer.BYTES;
        long inputBytes = part * collective.inputSlices(ranks);
        long outputBytes = part * collective.outputSlices(ranks);
        DeviceBuffer region = device.allocate(Math.max(inputBytes, outputBytes));
        DeviceBuffer input = !inPlace || inputBytes < outputBytes
                ? inPlace ? region.slice(rank * part, part) : device.allocate(inputBytes)
                : region;
        DeviceBuffer output = !inPlace
                ? device.allocate(outputBytes)
                : outputBytes < inputBytes ? region.slice(rank * part, part) : region;
        for (int i = 0; i < input.byteSize() / Integer.BYTES; i++) {
            input.segment().setAtIndex(JAVA_INT, i, 100 * rank + i);
        }
        communicator.enqueue(
                collective,
                input,
                output,
                DataType.INT32,
                collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP,
                root,
                device.stream(7));
        boolean hasOutput = rank == root || (collective != Collective.REDUCE && collective != Collective.GATHER);
        for (int i = 0; hasOutput && i < outputBytes / Integer.BYTES; i++) {
            assertEquals(
                    expected(collective, rank, ranks, root, i),
                    output.segment().getAtIndex(JAVA_INT, i),
                    "rank " + rank + ", element " + i);
        }
    }

    private static int expected(Collective collective, int rank, int ranks, int root, int i) {
        int base = 100 * (ranks * (ranks - 1) / 2);
        return switch (collective) {
            case ALLREDUCE, REDUCE -> base + ranks * i;
            case REDUCESCATTER -> base + ranks * (rank * COUNT + i);
            case ALLGATHER, GATHER -> 100 * (i / COUNT) + i % COUNT;
            case ALLTOALL -> 100 * (i / COUNT) + rank * COUNT + i % COUNT;
            case BROADCAST -> 100 * root + i;
            case SCATTER -> 100 * root + rank * COUNT + i;
            case SENDRECV, TEST -> throw new IllegalArgumentException(collective.label());
        };
    }

    @Test
    void everyTypeIsMovedAndOperationsAreRight() {
        onRanks(2, (rank, communicator) -> {
            for (DataType type : DataType.values()) {
                DeviceBuffer input = device.allocate(3L * type.byteSize());
                DeviceBuffer output = device.allocate(6L * type.byteSize());
                input.segment().fill((byte) (rank + 1));
                communicator.enqueue(Collective.ALLGATHER, input, output, type, ReduceOp.NOP, 0, device.createStream());
                assertEquals(
                        -1,
                        output.slice(rank * 3L * type.byteSize(), 3L * type.byteSize())
                                .segment()
                                .mismatch(input.segment()),
                        type.label());
            }
            assertEquals(9, reduced(communicator, ReduceOp.MAX, rank == 0 ? 4 : 9));
            assertEquals(4, reduced(communicator, ReduceOp.MIN, rank == 0 ? 4 : 9));
            assertEquals(36, reduced(communicator, ReduceOp.PRODUCT, rank == 0 ? 4 : 9));
            assertThrows(UnsupportedException.class, () -> reduced(communicator, ReduceOp.AVG, 4));
        });
    }

    private int reduced(FallbackCommunicator communicator, ReduceOp op, int own) {
        DeviceBuffer buffer = device.allocate(Integer.BYTES);
        buffer.segment().set(JAVA_INT, 0, own);
        communicator.enqueue(Collective.ALLREDUCE, buffer, buffer, DataType.INT32, op, 0, device.createStream());
        return buffer.segment().get(JAVA_INT, 0);
    }

    @Test
    void unsupportedCallsAreRejectedBeforeNcclIsCalled() {
        onRanks(1, (_, communicator) -> {
            DeviceBuffer four = device.allocate(4);
            DeviceBuffer eight = device.allocate(8);
            assertThrows(
                    InvalidArgumentException.class,
                    () -> enqueue(communicator, Collective.ALLREDUCE, four, eight, DataType.INT32));
            assertThrows(
                    InvalidArgumentException.class,
                    () -> enqueue(communicator, Collective.ALLREDUCE, four, four, DataType.INT64));
            assertThrows(
                    UnsupportedException.class,
                    () -> enqueue(communicator, Collective.ALLTOALL, four, four, DataType.INT32));
            assertThrows(
                    UnsupportedException.class,
                    () -> enqueue(communicator, Collective.SENDRECV, four, four, DataType.INT32));
            assertThrows(
                    UnsupportedException.class,
                    () -> enqueue(communicator, Collective.ALLREDUCE, four, four, DataType.UINT16));
            assertThrows(InvalidArgumentException.class, () -> communicator.allocate(0, false));
        });
    }

    @Test
    void whatIsRefusedIsKnownWithoutACommunicator() {
        onRanks(1, (_, communicator) -> {
            for (Collective collective : Collective.values()) {
                for (DataType type : DataType.values()) {
                    for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.BAND, ReduceOp.premulSum(2))) {
                        for (boolean inPlace : new boolean[] {false, true}) {
                            assertEquals(
                                    communicator.refusal(collective, type, op, inPlace),
                                    provider.refusal(collective, type, op, inPlace, 1));
                        }
                    }
                }
            }
        });
        assertEquals(
                Optional.of("NCCL has no alltoall in place; use two buffers"),
                provider.refusal(Collective.ALLTOALL, DataType.INT32, ReduceOp.NOP, true, 2));
    }

    private void enqueue(
            FallbackCommunicator communicator,
            Collective collective,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type) {
        communicator.enqueue(collective, input, output, type, ReduceOp.SUM, 0, device.createStream());
    }

    @Test
    void aFailureNamesFunctionTextAndSymbolAndEndsTheGroup() {
        onRanks(1, (_, communicator) -> {
            DeviceBuffer buffer = device.allocate(4);
            DeviceBuffer other = device.allocate(4);
            BackendException one = assertThrows(
                    BackendException.class,
                    () -> communicator.enqueue(
                            Collective.ALLREDUCE,
                            buffer,
                            buffer,
                            DataType.INT32,
                            ReduceOp.SUM,
                            0,
                            device.stream(BAD_STREAM)));
            assertEquals(
                    "ncclAllReduce failed: invalid usage: the stream is not one (ncclInvalidUsage, code 5)",
                    one.getMessage());
            BackendException grouped = assertThrows(
                    BackendException.class,
                    () -> communicator.enqueue(
                            Collective.ALLTOALL,
                            buffer,
                            other,
                            DataType.INT32,
                            ReduceOp.NOP,
                            0,
                            device.stream(BAD_STREAM)));
            assertEquals("ncclInvalidUsage", grouped.symbol());
            assertEquals(0, standIn.depth());
            buffer.segment().set(JAVA_INT, 0, 42);
            enqueue(communicator, Collective.ALLTOALL, buffer, other, DataType.INT32);
            assertEquals(42, other.segment().get(JAVA_INT, 0), "a group that was not ended would have kept it");
        });
    }

    @Test
    void memoryOfNcclIsRegisteredUsedAndReleased() {
        for (boolean symmetric : List.of(false, true)) {
            onRanks(2, (rank, communicator) -> {
                try (DeviceBuffer buffer = communicator.allocate(4096, symmetric)) {
                    assertTrue(standIn.live(symmetric ? Kind.WINDOWS : Kind.REGISTRATIONS) > 0);
                    buffer.segment().set(JAVA_INT, 0, rank + 1);
                    DeviceBuffer first = buffer.slice(0, 4);
                    enqueue(communicator, Collective.ALLREDUCE, first, first, DataType.INT32);
                    assertEquals(3, buffer.segment().get(JAVA_INT, 0));
                    buffer.close();
                }
            });
            assertEquals(
                    List.of(0L, 0L, 0L),
                    Stream.of(Kind.MEMORY, Kind.REGISTRATIONS, Kind.WINDOWS)
                            .map(standIn::live)
                            .toList());
        }
    }

    /** Two ranks without calls. */
    private List<FallbackCommunicator> pair() {
        byte[] id = provider.createId();
        return IntStream.range(0, 2)
                .mapToObj(
                        rank -> CompletableFuture.supplyAsync(() -> provider.open(device, id, rank, 2, LIMIT), THREADS))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    @Test
    void anAbortEndsACallThatWaitsForAPeer() {
        List<FallbackCommunicator> pair = pair();
        FallbackCommunicator waiting = pair.getFirst();
        FallbackCommunicator absent = pair.getLast();
        DeviceBuffer buffer = device.allocate(4);
        CompletableFuture<Void> call = CompletableFuture.runAsync(
                () -> enqueue(waiting, Collective.ALLREDUCE, buffer, buffer, DataType.INT32), THREADS);
        waiting.abort();
        CompletionException ended = assertThrows(CompletionException.class, call::join);
        assertInstanceOf(AbortedException.class, ended.getCause());
        assertThrows(
                AbortedException.class, () -> enqueue(waiting, Collective.ALLREDUCE, buffer, buffer, DataType.INT32));
        waiting.close();
        waiting.close();
        absent.close();
    }

    /** NCCL would free memory that the call still uses. */
    @Test
    void closingEndsACallThatWaitsForAPeer() throws Exception {
        List<FallbackCommunicator> pair = pair();
        FallbackCommunicator waiting = pair.getFirst();
        FallbackCommunicator absent = pair.getLast();
        DeviceBuffer buffer = device.allocate(4);
        long before = standIn.live(Kind.WAITING);
        CompletableFuture<Void> call = CompletableFuture.runAsync(
                () -> enqueue(waiting, Collective.ALLREDUCE, buffer, buffer, DataType.INT32), THREADS);
        while (standIn.live(Kind.WAITING) == before) {
            Thread.onSpinWait();
        }
        waiting.close();
        ExecutionException ended = assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
        assertInstanceOf(AbortedException.class, ended.getCause());
        assertThrows(
                InvalidArgumentException.class,
                () -> enqueue(waiting, Collective.ALLREDUCE, buffer, buffer, DataType.INT32));
        waiting.close();
        absent.close();
    }

    @Test
    void memoryThatCannotBeRegisteredIsFreed() {
        long before = standIn.live(Kind.MEMORY);
        onRanks(2, (rank, communicator) -> {
            assertThrows(BackendException.class, () -> communicator.allocate(4096 * (rank + 1), true));
        });
        assertEquals(before, standIn.live(Kind.MEMORY));
        assertEquals(0, device.adopted.get());
    }

    @Test
    void wrongArgumentsOfOpenAreRejected() {
        byte[] id = provider.createId();
        assertThrows(InvalidArgumentException.class, () -> provider.open(device, new byte[3], 0, 1));
        assertThrows(InvalidArgumentException.class, () -> provider.open(device, id, 1, 1));
        assertThrows(InvalidArgumentException.class, () -> provider.open(new StandInDevice("host"), id, 0, 1));
        assertEquals(0, device.madeCurrent.get());
        provider.open(device, id, 0, 1).close();
        assertTrue(device.madeCurrent.get() > 0);
    }

    /** For a single rank NCCL does not select the device itself, and fails if another one is current. */
    @Test
    void collectivesMakeTheDeviceCurrent() {
        try (FallbackCommunicator communicator = provider.open(device, provider.createId(), 0, 1);
                DeviceBuffer buffer = device.allocate(64)) {
            int before = device.madeCurrent.get();
            enqueue(communicator, Collective.ALLREDUCE, buffer, buffer, DataType.INT32);
            assertTrue(device.madeCurrent.get() > before);
        }
    }

    private void onRanks(int ranks, Part part) {
        onRanks(ranks, Duration.ZERO, part);
    }

    /** Without a limit for calls if it is zero. */
    private void onRanks(int ranks, Duration limit, Part part) {
        byte[] id = provider.createId();
        List<CompletableFuture<Void>> ends = IntStream.range(0, ranks)
                .mapToObj(rank -> CompletableFuture.runAsync(
                        () -> {
                            try (FallbackCommunicator communicator = limit.isZero()
                                    ? provider.open(device, id, rank, ranks)
                                    : provider.open(device, id, rank, ranks, limit)) {
                                part.run(rank, communicator);
                            }
                        },
                        THREADS))
                .toList();
        ends.forEach(CompletableFuture::join);
    }
}
