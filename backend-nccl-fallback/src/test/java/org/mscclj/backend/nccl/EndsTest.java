package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.backend.nccl.ffm.StandIn.Fault;
import org.mscclj.backend.nccl.ffm.StandIn.Kind;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackRegistration;
import org.mscclj.spi.waiting.Backoff;

/** Communicators end while other threads use them: they are freed after that use, and only once. */
@Timeout(20)
@Execution(ExecutionMode.SAME_THREAD) // faults and counts are those of the library
class EndsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

    /** Threads that stay: NCCL before 2.19.1 keeps calls in their memory. */
    private static final Executor STAYING = task -> Thread.ofPlatform().daemon().start(() -> {
        task.run();
        Backoff.delay(LONG.toNanos());
    });

    /** How a thread ends a communicator. */
    private enum End {
        ABORT,
        CLOSE
    }

    private final StandInDevice device = new StandInDevice("cuda");
    private StandIn standIn;
    private NcclProvider provider;

    @BeforeEach
    void standIn() {
        use(StandIn.variant("ends"));
    }

    private void use(StandIn other) {
        standIn = other;
        provider = new NcclProvider(standIn.library(), standIn::nccl);
    }

    @AfterEach
    void nothingIsUsedAfterItsEnd() {
        standIn.release();
        assertEquals(0, standIn.live(Kind.MISUSES));
    }

    private FallbackCommunicator open(Duration limit) {
        byte[] id = provider.createId();
        return limit.isZero() ? provider.open(device, id, 0, 1) : provider.open(device, id, 0, 1, limit);
    }

    /** On a busy machine, opening may take longer than the limit. */
    private FallbackCommunicator openWithShortLimit() {
        while (true) {
            try {
                return open(SHORT);
            } catch (OperationTimeoutException _) {
                // once more
            }
        }
    }

    private int sum(FallbackCommunicator communicator) {
        DeviceBuffer buffer = device.allocate(Integer.BYTES);
        buffer.segment().set(JAVA_INT, 0, 21);
        communicator.enqueue(
                Collective.ALLREDUCE, buffer, buffer, DataType.INT32, ReduceOp.SUM, 0, device.createStream());
        return buffer.segment().get(JAVA_INT, 0);
    }

    private static void end(FallbackCommunicator communicator, End end) {
        if (end == End.ABORT) {
            communicator.abort();
        } else {
            communicator.close();
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertFalse(Thread.currentThread().isInterrupted(), "the test took too long");
            Backoff.nap(100_000);
        }
    }

    /** Begins a call that stays inside a function of NCCL. */
    private CompletableFuture<Integer> stuckCall(FallbackCommunicator communicator) {
        standIn.inject("ncclAllReduce", Fault.HANG_FOREVER, 0, 1);
        CompletableFuture<Integer> call = CompletableFuture.supplyAsync(() -> sum(communicator), THREADS);
        await(() -> standIn.live(Kind.WAITING) == 1);
        return call;
    }

    @ParameterizedTest
    @EnumSource
    void anEndWaitsForAThreadThatIsInsideNccl(End end) throws Exception {
        for (Duration limit : List.of(Duration.ZERO, LONG)) {
            FallbackCommunicator communicator = open(limit);
            CompletableFuture<Integer> call = stuckCall(communicator);
            CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> end(communicator, end), THREADS);
            await(() -> communicator.failure().isPresent());
            assertInstanceOf(AbortedException.class, communicator.failure().orElseThrow());
            assertEquals(1, standIn.live(Kind.COMMUNICATORS));
            CompletableFuture<Void> second = CompletableFuture.runAsync(communicator::abort, THREADS);
            Backoff.delay(20_000_000);
            assertFalse(ended.isDone() || second.isDone(), "the abort has not ended");
            standIn.release();
            ended.get(20, TimeUnit.SECONDS);
            second.get(20, TimeUnit.SECONDS);
            assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
            communicator.close();
            assertEquals(0, standIn.live(Kind.COMMUNICATORS));
        }
    }

    /** The watch frees the communicator when the call has returned. */
    @Test
    void aFunctionThatExceedsTheLimitLeavesItsCommunicator() {
        FallbackCommunicator communicator = openWithShortLimit();
        CompletableFuture<Integer> call = stuckCall(communicator);
        await(() -> communicator.failure().isPresent());
        MsccljException late = communicator.failure().orElseThrow();
        assertInstanceOf(OperationTimeoutException.class, late);
        assertThrows(OperationTimeoutException.class, communicator::close);
        assertEquals(1, standIn.live(Kind.COMMUNICATORS));
        standIn.release();
        assertEquals(
                late,
                assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS))
                        .getCause());
        await(() -> standIn.live(Kind.COMMUNICATORS) == 0);
    }

    @Test
    void anAbortOfACommunicatorWhoseFunctionDoesNotReturnIsAnException() {
        FallbackCommunicator communicator = openWithShortLimit();
        CompletableFuture<Integer> call = stuckCall(communicator);
        String text = assertThrows(OperationTimeoutException.class, communicator::abort)
                .getMessage();
        assertTrue(text.startsWith("a function of NCCL did not return within 300 ms after an abort"), text);
        standIn.release();
        assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
        await(() -> standIn.live(Kind.COMMUNICATORS) == 0);
    }

    /** NCCL before 2.19.1 would free what its own thread uses. */
    @ParameterizedTest
    @ValueSource(ints = {21403, 21801, 21901})
    void aCallInProgressEndsByTheAbortOrIsLeft(int version) {
        use(StandIn.variant("ends-" + version, "-DVERSION=" + version));
        FallbackCommunicator communicator = open(LONG);
        standIn.inject("ncclAllReduce", Fault.HANG, 0, 1);
        CompletableFuture<Integer> call = CompletableFuture.supplyAsync(() -> sum(communicator), STAYING);
        await(() -> standIn.live(Kind.WAITING) == 1);
        if (version < 21901) {
            String text = assertThrows(OperationTimeoutException.class, communicator::abort)
                    .getMessage();
            assertTrue(text.contains("left as it is, since NCCL before 2.19.1"), text);
        } else {
            communicator.abort();
        }
        Throwable ended = assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS))
                .getCause();
        assertInstanceOf(AbortedException.class, ended);
        assertEquals(version < 21901 ? 1 : 0, standIn.live(Kind.COMMUNICATORS));
        communicator.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {21403, 21801, 22705, 23007})
    void openingKeepsItsThread(int version) {
        use(StandIn.variant("ends-" + version, "-DVERSION=" + version));
        byte[] id = provider.createId();
        assertThrows(OperationTimeoutException.class, () -> provider.open(device, id, 0, 2, SHORT));
    }

    /** The communicator that came too late is aborted. */
    @Test
    void openingThatReturnsAfterTheLimitIsUndone() {
        standIn.inject("ncclCommInitRankConfig", Fault.DELAY, 0, 1);
        assertThrows(OperationTimeoutException.class, () -> open(SHORT));
        standIn.release();
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("mscclj-ncclCommInitRankConfig")));
        assertEquals(0, standIn.live(Kind.COMMUNICATORS));
    }

    /** The other rank does not split or shrink. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAbortEndsASplitAndAShrink(boolean shrinks) {
        List<FallbackCommunicator> three = onRanks(3, _ -> LONG);
        FallbackCommunicator communicator = three.getFirst();
        CompletableFuture<Void> call = CompletableFuture.runAsync(
                () -> {
                    if (shrinks) {
                        communicator.shrink(List.of(1), false);
                    } else {
                        communicator.split(0, 0);
                    }
                },
                THREADS);
        await(() -> standIn.live(Kind.WAITING) == 1);
        communicator.abort();
        assertInstanceOf(
                AbortedException.class,
                assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS))
                        .getCause());
        three.forEach(FallbackCommunicator::close);
    }

    /** Kernels that no abort has ended could write to it. */
    @Test
    void memoryIsFreedBehindTheAbortOnly() {
        use(StandIn.variant("ends-left")); // since a communicator stays
        FallbackCommunicator communicator = openWithShortLimit();
        DeviceBuffer left = communicator.allocate(4096, false);
        standIn.inject("ncclCommAbort", Fault.HANG_FOREVER, 0, 1);
        assertThrows(OperationTimeoutException.class, communicator::abort);
        left.close();
        assertEquals(1, standIn.live(Kind.MEMORY));
        standIn.release();
        communicator.close();
    }

    /** NCCL itself would refuse it, or use what an abort has freed. */
    @ParameterizedTest
    @ValueSource(ints = {22705, 23007})
    void aFailedCommunicatorIsNeitherShrunkNorSplit(int version) {
        use(StandIn.variant("ends-" + version, "-DVERSION=" + version));
        List<FallbackCommunicator> pair = onRanks(2, _ -> Duration.ZERO);
        FallbackCommunicator communicator = pair.getFirst();
        standIn.inject("ncclCommRegister", Fault.REPORT, 6, 1);
        FallbackRegistration _ = communicator.register(device.allocate(64), false);
        assertTrue(communicator.failure().isPresent());
        assertRefused("ncclRemoteError", communicator);
        communicator.abort();
        assertRefused("was aborted", communicator);
        pair.forEach(FallbackCommunicator::close);
    }

    private static void assertRefused(String reason, FallbackCommunicator communicator) {
        for (boolean abort : List.of(false, true)) {
            String text = assertThrows(AbortedException.class, () -> communicator.shrink(List.of(1), abort))
                    .getMessage();
            assertTrue(text.contains("cannot be shrunk") && text.contains("with a new id"), text);
            assertTrue(text.contains(reason), text);
        }
        String text = assertThrows(AbortedException.class, () -> communicator.split(0, 0))
                .getMessage();
        assertTrue(text.contains("cannot be split"), text);
    }

    /** Opens the communicators of ranks that are threads. */
    private List<FallbackCommunicator> onRanks(int ranks, IntFunction<Duration> limits) {
        byte[] id = provider.createId();
        return IntStream.range(0, ranks)
                .mapToObj(rank -> CompletableFuture.supplyAsync(
                        () -> limits.apply(rank).isZero()
                                ? provider.open(device, id, rank, ranks)
                                : provider.open(device, id, rank, ranks, limits.apply(rank)),
                        THREADS))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    /** Calls, an abort or a closing by others, and questions for the failure at once. */
    @RepeatedTest(20)
    void endsMayMeetCalls() {
        for (End end : End.values()) {
            for (Duration limit : List.of(Duration.ZERO, LONG)) {
                FallbackCommunicator communicator = open(limit);
                List<Runnable> parts = List.of(
                        () -> {
                            while (true) {
                                sum(communicator);
                            }
                        },
                        () -> end(communicator, end),
                        communicator::abort,
                        () -> {
                            while (communicator.failure().isEmpty() && standIn.live(Kind.COMMUNICATORS) > 0) {
                                Backoff.nap(100_000);
                            }
                        });
                List<CompletableFuture<Void>> ends = parts.stream()
                        .map(part -> CompletableFuture.runAsync(part, THREADS))
                        .toList();
                assertThrows(ExecutionException.class, () -> ends.getFirst().get(20, TimeUnit.SECONDS));
                ends.stream().skip(1).forEach(CompletableFuture::join);
                communicator.close();
                await(() -> standIn.live(Kind.COMMUNICATORS) == 0);
                assertFalse(standIn.live(Kind.MISUSES) > 0);
            }
        }
    }
}
