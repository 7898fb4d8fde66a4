package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroup.RankTask;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.UniqueId;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LocalRanks;
import org.mscclj.runtime.process.RankProcess;

/** A launch that is late ends the communicator, on all ranks. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchdogTest {
    /** Of communicators, and of calls that shall end. */
    private static final Duration LIMIT = Duration.ofSeconds(50);

    /** After which a launch is late that names no time of its own: none that shall end may do so. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final ExecutorOptions WATCHED =
            ExecutorOptions.DEFAULT.withWatchdog(new WatchdogLimits(Optional.of(SHORT), Optional.of(SHORT)));

    /** Rank 1 does not make the second call, and finds out in a barrier. */
    private static void launchInVain(Communicator communicator) {
        DeviceBuffer memory = communicator.allocate(64);
        CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
        communicator.execute(call.timeout(LIMIT)).join();
        OperationTimeoutException e;
        if (communicator.rank() == 1) {
            awaitAbort(communicator);
            e = assertThrows(OperationTimeoutException.class, communicator::barrier);
        } else {
            Work work = communicator.execute(call);
            e = assertThrows(OperationTimeoutException.class, () -> work.join(LIMIT));
            assertTrue(work.isCompleted(), "its buffers can be closed");
        }
        assertEquals(List.of(1), e.missingRanks(), e::getMessage);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("launch #2, allreduce of 64 bytes int8, sum, in place, by "), message);
        assertTrue(message.contains("rank 1: last completed #1, allreduce of 64 bytes"), message);
        assertTrue(message.contains("has not called #2"), message);
        assertTrue(communicator.isAborted());
    }

    /** In a barrier that nobody else comes to. */
    private static void awaitAbort(Communicator communicator) {
        assertThrows(OperationTimeoutException.class, communicator::barrier);
        assertTrue(communicator.isAborted());
    }

    private static void onThreads(int ranks, RankTask task) {
        try (LocalGroup group = LocalRanks.open(LocalGroupOptions.ranks(ranks).timeout(LIMIT), WATCHED)) {
            group.run(task);
        }
    }

    @Test
    void aLateLaunchEndsTheCommunicatorOnAllRanksOfAProcess() {
        onThreads(3, WatchdogTest::launchInVain);
    }

    @Test
    void whatACallAllowsIsNotLate() {
        onThreads(2, communicator -> {
            DeviceBuffer memory = communicator.allocate(64);
            CollectiveCall call =
                    CollectiveCall.allReduce(memory, DataType.INT8).timeout(LIMIT);
            communicator.execute(call).join();
            if (communicator.rank() == 1) {
                comeLate(communicator);
            }
            communicator.execute(call).join();
        });
    }

    /** Waits until a launch of the other rank would be late long since. */
    private static void comeLate(Communicator communicator) {
        assertThrows(OperationTimeoutException.class, () -> communicator.barrier(SHORT.multipliedBy(3)));
    }

    /** What rank 0 does, and what rank 1 does so late that launches without a time of their own are late. */
    private record Late(Consumer<Communicator> waits, Consumer<Communicator> comes) {}

    private static void setUpAndThen(Communicator communicator, Late late) {
        if (communicator.rank() == 1) {
            comeLate(communicator);
            late.comes().accept(communicator);
        } else {
            late.waits().accept(communicator);
        }
        communicator.barrier();
    }

    private static void sendToZero(Communicator communicator) {
        communicator
                .execute(TransferCall.batch()
                        .send(communicator.device().allocate(8), 0)
                        .timeout(LIMIT))
                .join();
    }

    @Test
    void whatMessagesAllowIsNotLate() {
        List<Late> kinds = List.of(
                new Late(
                        communicator -> communicator
                                .execute(TransferCall.batch()
                                        .receive(communicator.device().allocate(8), 1)
                                        .timeout(LIMIT))
                                .join(),
                        WatchdogTest::sendToZero),
                new Late(
                        communicator -> {
                            try (PreparedOperation receive = communicator.prepare(TransferCall.batch()
                                    .receive(communicator.device().allocate(8), 1)
                                    .timeout(LIMIT))) {
                                receive.launch();
                                receive.join(LIMIT);
                            }
                        },
                        WatchdogTest::sendToZero),
                new Late(
                        communicator -> {
                            try (PreparedOperation receive = communicator.prepare(TransferCall.batch()
                                    .receive(communicator.device().allocate(8), 1))) {
                                receive.run(LIMIT.plusSeconds(1)); // more than the communicator allows
                            }
                        },
                        WatchdogTest::sendToZero));
        kinds.parallelStream().forEach(late -> onThreads(2, communicator -> setUpAndThen(communicator, late)));
    }

    @Test
    void whatAWaitForASignalAllowsIsNotLate() {
        onThreads(2, communicator -> {
            try (Window window = communicator.openWindow(communicator.allocate(8))) {
                setUpAndThen(
                        communicator,
                        new Late(
                                _ -> window.execute(WindowCall.waitSignal(1).timeout(LIMIT))
                                        .join(),
                                _ -> window.execute(WindowCall.signal(0).timeout(LIMIT))
                                        .join()));
            }
        });
    }

    @Test
    void whatAReductionOfPartsAllowsIsNotLate() {
        onThreads(2, communicator -> {
            DeviceBuffer memory = communicator.device().allocate(24);
            ReduceScatterCall call = communicator
                    .variable()
                    .reduceScatter(
                            memory.slice(0, 16), List.of(2L, 2L), memory.slice(16, 8), DataType.INT32, ReduceOp.SUM)
                    .timeout(LIMIT);
            communicator.execute(call).join();
            Consumer<Communicator> reduce = each -> each.execute(call).join();
            setUpAndThen(communicator, new Late(reduce, reduce));
        });
    }

    /** The longer time of one call was for that call alone. */
    @Test
    void afterACallWithALongTimeoutTheUsualOneHolds() {
        onThreads(2, communicator -> {
            DeviceBuffer memory = communicator.allocate(64);
            CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
            communicator.execute(call.timeout(Duration.ofHours(1))).join();
            if (communicator.rank() == 1) {
                awaitAbort(communicator);
            } else {
                Work work = communicator.execute(call);
                OperationTimeoutException e = assertThrows(OperationTimeoutException.class, () -> work.join(LIMIT));
                assertEquals(List.of(1), e.missingRanks(), e::getMessage);
                assertTrue(communicator.isAborted());
            }
        });
    }

    @Test
    void aLateLaunchEndsTheCommunicatorOnRanksThatAreConnected() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(3, rank -> {
            CommunicatorOptions options = CommunicatorOptions.rank(rank, 3)
                    .ranksPerNode(1)
                    .uniqueId(id)
                    .timeout(LIMIT);
            try (Communicator communicator = RankProcess.open(options, WATCHED)) {
                launchInVain(communicator);
            }
        });
    }

    @Test
    void limitsAreTheTimeoutUnlessTheProcessIsToldOtherwise() {
        assertEquals(
                new WatchdogLimits(Optional.of(SHORT), Optional.of(SHORT)),
                WatchdogLimits.of(_ -> null, Map.of(), SHORT));
        assertEquals(
                new WatchdogLimits(Optional.empty(), Optional.of(Duration.ofMillis(2500))),
                WatchdogLimits.of(
                        name -> name.equals(WatchdogLimits.ENQUEUE_PROPERTY) ? "0" : null,
                        Map.of(WatchdogLimits.ENQUEUE_VARIABLE, "7", WatchdogLimits.START_VARIABLE, "2.5"),
                        SHORT));
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> WatchdogLimits.of(_ -> null, Map.of(WatchdogLimits.START_VARIABLE, "soon"), SHORT));
        assertTrue(String.valueOf(e.getMessage()).contains(WatchdogLimits.START_VARIABLE), e::getMessage);
    }

    /** Rank 1 never receives what it is sent, and finds out in a barrier. */
    private static void sendInVain(Communicator communicator) {
        DeviceBuffer memory = communicator.allocate(8 << 20);
        OperationTimeoutException e;
        if (communicator.rank() == 0) {
            Work work = communicator.send(memory, 1);
            e = assertThrows(OperationTimeoutException.class, () -> work.join(LIMIT));
            assertTrue(work.isCompleted(), "its buffer can be closed");
        } else {
            awaitAbort(communicator);
            e = assertThrows(OperationTimeoutException.class, communicator::barrier);
        }
        assertEquals(List.of(1), e.missingRanks(), e::getMessage);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("rank 0: messages #1, send 8388608 bytes to rank 1: not ended after"), message);
        assertTrue(message.contains("it could not send 8388608 bytes to rank 1 ("), message);
    }

    @Test
    void lateMessagesEndTheCommunicatorOnAllRanks() {
        onThreads(3, WatchdogTest::sendInVain);
    }
}
