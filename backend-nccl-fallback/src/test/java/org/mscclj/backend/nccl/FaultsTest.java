package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.NcclFunction;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.backend.nccl.ffm.StandIn.Fault;
import org.mscclj.backend.nccl.ffm.StandIn.Kind;
import org.mscclj.spi.fallback.FallbackCommunicator;

/** A failure, a call that hangs, and an error that NCCL reports later: an exception each time. */
@Timeout(60)
@Execution(ExecutionMode.SAME_THREAD) // faults are those of the library
class FaultsTest {
    private static final Duration LIMIT = Duration.ofMillis(300);
    private static final Duration WAITING = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int REMOTE_ERROR = 6;
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

    /** What a test does with the communicator of one rank. */
    private interface Use extends Consumer<FallbackCommunicator> {}

    private static final String DESTROY_SUM = "ncclRedOpDestroy";

    private final StandInDevice device = new StandInDevice("cuda");
    private StandIn standIn;
    private NcclProvider provider;

    @BeforeEach
    void standIn() {
        standIn = StandIn.variant("faults");
        provider = new NcclProvider(standIn.library(), standIn::nccl);
    }

    @AfterEach
    void release() {
        standIn.release();
        assertEquals(0, standIn.live(Kind.MISUSES));
    }

    /** The functions of NCCL, each with a call that uses it on a communicator of one rank. */
    private Map<String, Use> uses() {
        return Map.ofEntries(
                Map.entry("ncclAllReduce", call(Collective.ALLREDUCE, ReduceOp.SUM)),
                Map.entry("ncclReduceScatter", call(Collective.REDUCESCATTER, ReduceOp.SUM)),
                Map.entry("ncclReduce", call(Collective.REDUCE, ReduceOp.SUM)),
                Map.entry("ncclAllGather", call(Collective.ALLGATHER, ReduceOp.NOP)),
                Map.entry("ncclBroadcast", call(Collective.BROADCAST, ReduceOp.NOP)),
                Map.entry("ncclSend", call(Collective.ALLTOALL, ReduceOp.NOP)),
                Map.entry("ncclRecv", call(Collective.ALLTOALL, ReduceOp.NOP)),
                Map.entry("ncclGroupStart", call(Collective.ALLTOALL, ReduceOp.NOP)),
                Map.entry("ncclGroupEnd", call(Collective.ALLTOALL, ReduceOp.NOP)),
                Map.entry("ncclRedOpCreatePreMulSum", call(Collective.ALLREDUCE, ReduceOp.premulSum(2))),
                Map.entry(DESTROY_SUM, call(Collective.ALLREDUCE, ReduceOp.premulSum(2))),
                Map.entry("ncclCommSplit", c -> c.split(0, 0).orElseThrow().close()),
                Map.entry("ncclMemAlloc", c -> c.allocate(64, false).close()),
                Map.entry(
                        "ncclCommRegister",
                        c -> c.register(device.allocate(64), false).close()),
                Map.entry(
                        "ncclCommWindowRegister",
                        c -> c.register(device.allocate(64), true).close()));
    }

    private Use call(Collective collective, ReduceOp op) {
        return communicator -> {
            DeviceBuffer input = device.allocate(Integer.BYTES);
            DeviceBuffer output = device.allocate(Integer.BYTES);
            input.segment().set(JAVA_INT, 0, 21);
            communicator.enqueue(collective, input, output, DataType.INT32, op, 0, device.createStream());
            int expected = op.kind() == ReduceOp.Kind.PREMUL_SUM ? 42 : 21;
            assertEquals(expected, output.segment().get(JAVA_INT, 0), collective.label());
        };
    }

    private Stream<DynamicTest> forEachUse(Consumer<Map.Entry<String, Use>> test) {
        return uses().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(use -> DynamicTest.dynamicTest(use.getKey(), () -> {
                    try {
                        test.accept(use);
                    } finally {
                        standIn.release();
                    }
                }));
    }

    /** In each version in which functions have come; a call of a missing one names the version that has it. */
    @ParameterizedTest
    @ValueSource(ints = {21003, 21104, 21304, 21403, 21701, 21801, 21903, 22602, 22705, 22807, 22902, 23004, 23007})
    void aFailureIsThrownAndTheNextCallIsRight(int version) {
        standIn = StandIn.variant("faults-" + version, "-DVERSION=" + version);
        provider = new NcclProvider(standIn.library(), standIn::nccl);
        for (boolean bounded : List.of(false, true)) {
            if (bounded && !standIn.library().has(NcclFunction.COMM_INIT_RANK_CONFIG)) {
                assertThrows(UnsupportedException.class, () -> open(true));
            } else {
                uses().forEach((function, use) -> {
                    if (!function.equals(DESTROY_SUM)) {
                        requireFailure(function, use, bounded);
                    }
                });
            }
        }
    }

    private void requireFailure(String function, Use use, boolean bounded) {
        String name = function + (bounded ? " with a limit" : "");
        try (FallbackCommunicator communicator = open(bounded)) {
            if (Stream.of(NcclFunction.values())
                    .anyMatch(known -> known.symbol().equals(function)
                            && !standIn.library().has(known))) {
                assertThrows(UnsupportedException.class, () -> use.accept(communicator), name);
                return;
            }
            standIn.inject(function, Fault.FAIL, 2, 1);
            BackendException failure = assertThrows(BackendException.class, () -> use.accept(communicator), name);
            assertEquals("ncclSystemError", failure.symbol(), name);
            assertTrue(failure.getMessage().startsWith(function + " failed: "), failure.getMessage());
            assertEquals(
                    standIn.library().has(NcclFunction.GET_LAST_ERROR),
                    failure.getMessage().contains("injected"),
                    failure.getMessage());
            assertEquals(0, standIn.depth(), name);
            assertEquals(0, standIn.live(Kind.MEMORY), name);
            use.accept(communicator);
        }
    }

    private FallbackCommunicator open(boolean bounded) {
        byte[] id = provider.createId();
        return bounded ? provider.open(device, id, 0, 1, LONG) : provider.open(device, id, 0, 1);
    }

    /** On a busy machine, opening may take longer than the limit. */
    private FallbackCommunicator openWithShortLimit() {
        while (true) {
            try {
                return provider.open(device, provider.createId(), 0, 1, LIMIT);
            } catch (OperationTimeoutException _) {
                // once more
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> anErrorThatIsReportedLaterEndsTheCommunicator() {
        return forEachUse(use -> {
            if (!List.of("ncclAllReduce", "ncclAllGather", "ncclSend", "ncclCommRegister")
                    .contains(use.getKey())) {
                return; // the others have no communicator to report it on, or need nothing after it
            }
            try (FallbackCommunicator communicator = open(true)) {
                standIn.inject(use.getKey(), Fault.REPORT, REMOTE_ERROR, 1);
                assertThrows(RuntimeException.class, () -> {
                    use.getValue().accept(communicator); // may have been enqueued before the error
                    while (true) {
                        call(Collective.ALLREDUCE, ReduceOp.SUM).accept(communicator);
                    }
                });
                BackendException failure = assertInstanceOf(
                        BackendException.class, communicator.failure().orElseThrow());
                assertEquals("ncclRemoteError", failure.symbol());
            }
        });
    }

    /** Without a limit nothing watches, but the caller may ask. */
    @Test
    void anErrorCanBeAskedFor() {
        try (FallbackCommunicator communicator = open(false)) {
            assertTrue(communicator.failure().isEmpty());
            standIn.inject("ncclAllReduce", Fault.REPORT, REMOTE_ERROR, 1);
            call(Collective.ALLREDUCE, ReduceOp.SUM).accept(communicator);
            assertEquals(
                    "ncclRemoteError",
                    ((BackendException) communicator.failure().orElseThrow()).symbol());
            communicator.abort();
            assertInstanceOf(AbortedException.class, communicator.failure().orElseThrow());
        }
    }

    @TestFactory
    Stream<DynamicTest> aCallThatHangsExceedsTheLimit() {
        return forEachUse(use -> {
            if (List.of("ncclGroupStart", "ncclMemAlloc", "ncclCommRegister", "ncclRedOpCreatePreMulSum", DESTROY_SUM)
                    .contains(use.getKey())) {
                return; // local: the caller carries them out, and an abort does not end them
            }
            try (FallbackCommunicator communicator = openWithShortLimit()) {
                standIn.inject(use.getKey(), Fault.HANG, 0, 1);
                OperationTimeoutException late = assertThrows(
                        OperationTimeoutException.class, () -> use.getValue().accept(communicator));
                assertTrue(late.getMessage().contains("did not end within 300 ms"), late.getMessage());
                assertThrows(AbortedException.class, () -> use.getValue().accept(communicator));
                assertEquals(late, communicator.failure().orElseThrow());
            }
        });
    }

    /** The other rank does not call. */
    @Test
    void aCallWithoutItsPeerExceedsTheLimit() {
        byte[] id = provider.createId();
        List<FallbackCommunicator> pair =
                onRanks(2, rank -> provider.open(device, id, rank, 2, rank == 0 ? WAITING : LONG));
        try (FallbackCommunicator waiting = pair.getFirst();
                FallbackCommunicator _ = pair.getLast()) {
            assertThrows(
                    OperationTimeoutException.class,
                    () -> call(Collective.ALLREDUCE, ReduceOp.SUM).accept(waiting));
        }
    }

    @Test
    void openingWithoutAPeerExceedsTheLimit() {
        OperationTimeoutException late = assertThrows(
                OperationTimeoutException.class, () -> provider.open(device, provider.createId(), 0, 2, LIMIT));
        assertTrue(late.getMessage().contains(" within 300 ms"), late.getMessage());
    }

    @Test
    void openingThatFailsOrHangsIsAnException() {
        standIn.inject("ncclGetUniqueId", Fault.FAIL, 2, 1);
        assertThrows(BackendException.class, provider::createId);
        byte[] id = provider.createId();
        for (String function : List.of("ncclCommInitRank", "ncclCommInitRankConfig")) {
            standIn.inject(function, Fault.FAIL, 2, 1);
            boolean bounded = function.endsWith("Config");
            BackendException failure = assertThrows(BackendException.class, () -> {
                if (bounded) {
                    provider.open(device, id, 0, 1, LONG);
                } else {
                    provider.open(device, id, 0, 1);
                }
            });
            assertTrue(failure.getMessage().startsWith(function + " failed"), failure.getMessage());
        }
        standIn.inject("ncclCommInitRankConfig", Fault.HANG_FOREVER, 0, 1);
        OperationTimeoutException late =
                assertThrows(OperationTimeoutException.class, () -> provider.open(device, id, 0, 1, LIMIT));
        assertTrue(
                late.getMessage().startsWith("ncclCommInitRankConfig did not return within 1300 ms"),
                late.getMessage());
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofDays(2))) {
            assertThrows(InvalidArgumentException.class, () -> provider.open(device, id, 0, 1, wrong));
        }
    }

    @Test
    void closingThatFailsIsAnExceptionAndEndsTheCommunicator() {
        for (String function : List.of("ncclCommFinalize", "ncclCommDestroy")) {
            for (boolean bounded : List.of(false, true)) {
                FallbackCommunicator communicator = open(bounded);
                standIn.inject(function, Fault.FAIL, 2, 1);
                BackendException failure = assertThrows(BackendException.class, communicator::close);
                assertTrue(failure.getMessage().startsWith(function + " failed"), failure.getMessage());
                communicator.close();
                assertThrows(
                        InvalidArgumentException.class,
                        () -> call(Collective.ALLREDUCE, ReduceOp.SUM).accept(communicator));
            }
        }
    }

    @Test
    void closingThatHangsIsAnExceptionInTime() {
        for (String function : List.of("ncclCommFinalize", "ncclCommDestroy")) {
            FallbackCommunicator communicator = openWithShortLimit();
            standIn.inject(function, Fault.HANG_FOREVER, 0, 1);
            OperationTimeoutException late = assertThrows(OperationTimeoutException.class, communicator::close);
            assertTrue(late.getMessage().startsWith(function + " did not return within 300 ms"), late.getMessage());
            standIn.release();
            communicator.close();
        }
    }

    @Test
    void anAbortThatFailsIsAnException() {
        FallbackCommunicator communicator = open(true);
        standIn.inject("ncclCommAbort", Fault.FAIL, 2, 1);
        assertThrows(BackendException.class, communicator::abort);
        communicator.close();
    }

    @Test
    void anAbortThatHangsIsAnExceptionInTime() {
        FallbackCommunicator communicator = openWithShortLimit();
        standIn.inject("ncclCommAbort", Fault.HANG_FOREVER, 0, 1);
        OperationTimeoutException late = assertThrows(OperationTimeoutException.class, communicator::abort);
        assertTrue(late.getMessage().startsWith("ncclCommAbort did not return within 300 ms"), late.getMessage());
        assertThrows(
                AbortedException.class,
                () -> call(Collective.ALLREDUCE, ReduceOp.SUM).accept(communicator));
        communicator.close();
    }

    /** The caller of a call that an abort does not end learns of the abort. */
    @Test
    void anAbortEndsACallThatIsPolled() throws Exception {
        byte[] id = provider.createId();
        List<FallbackCommunicator> pair = onRanks(2, rank -> provider.open(device, id, rank, 2, LONG));
        FallbackCommunicator waiting = pair.getFirst();
        long before = standIn.live(Kind.WAITING);
        CompletableFuture<Void> call = CompletableFuture.runAsync(
                () -> call(Collective.ALLREDUCE, ReduceOp.SUM).accept(waiting), THREADS);
        while (standIn.live(Kind.WAITING) == before) {
            Thread.onSpinWait();
        }
        standIn.inject("ncclCommAbort", Fault.FAIL, 2, 1);
        assertThrows(BackendException.class, waiting::abort);
        ExecutionException ended = assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
        assertInstanceOf(AbortedException.class, ended.getCause());
        pair.getLast().abort();
        pair.forEach(FallbackCommunicator::close);
    }

    @Test
    void groupsOfTransfersAndReductionsEndAfterAFailure() {
        try (FallbackCommunicator communicator = open(false)) {
            DeviceBuffer buffer = device.allocate(Integer.BYTES);
            DeviceBuffer output = device.allocate(Integer.BYTES);
            TransferCall transfer = TransferCall.batch().send(buffer, 0).receive(output, 0);
            ReduceScatterCall reduction =
                    new ReduceScatterCall(List.of(buffer), output, DataType.INT32, ReduceOp.premulSum(3));
            for (String function : List.of("ncclSend", "ncclRecv", "ncclGroupEnd")) {
                standIn.inject(function, Fault.FAIL, 2, 1);
                assertThrows(
                        BackendException.class, () -> communicator.transfer(transfer, device.createStream()), function);
                assertEquals(0, standIn.depth(), function);
            }
            standIn.inject("ncclReduce", Fault.FAIL, 2, 1);
            assertThrows(BackendException.class, () -> communicator.reduceScatter(reduction, device.createStream()));
            assertEquals(0, standIn.depth());
            assertEquals(0, standIn.live(Kind.OPERATIONS));
            buffer.segment().set(JAVA_INT, 0, 7);
            communicator.transfer(transfer, device.createStream());
            assertEquals(7, output.segment().get(JAVA_INT, 0));
            communicator.reduceScatter(reduction, device.createStream());
            assertEquals(21, output.segment().get(JAVA_INT, 0));
        }
    }

    /** The result of each rank's part. */
    private static <T> List<T> onRanks(int ranks, IntFunction<T> part) {
        return IntStream.range(0, ranks)
                .mapToObj(rank -> CompletableFuture.supplyAsync(() -> part.apply(rank), THREADS))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }
}
