package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroup.RankTask;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LocalRanks;

/** The replay of a graph that is late ends the communicator, as any launch does, and says what was replayed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateReplayTest {
    private static final Duration LIMIT = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final WatchdogLimits FROM_ENQUEUE = new WatchdogLimits(Optional.of(SHORT), Optional.of(SHORT));
    private static final WatchdogLimits FROM_START = new WatchdogLimits(Optional.of(LIMIT), Optional.of(SHORT));

    private static void onThreads(int ranks, WatchdogLimits limits, RankTask task) {
        try (LocalGroup group = LocalRanks.open(
                LocalGroupOptions.ranks(ranks).timeout(LIMIT), ExecutorOptions.DEFAULT.withWatchdog(limits))) {
            group.run(task);
        }
    }

    /**
     * Replays what this rank has captured, and gives what is said when nobody waits any more; rank 1 captures and does
     * not replay.
     */
    private static String replayInVain(Communicator communicator, PreparedOperation operation, boolean replays) {
        Stream stream = communicator.stream();
        try (Graph graph = stream.capture(() -> operation.launch(stream))) {
            if (replays) {
                graph.launch(stream);
                stream.synchronize(LIMIT); // the watchdog ends it
            }
            assertThrows(OperationTimeoutException.class, communicator::barrier);
            assertTrue(communicator.isAborted());
            OperationTimeoutException e = assertThrows(OperationTimeoutException.class, communicator::barrier);
            assertEquals(List.of(1), e.missingRanks(), e::getMessage);
            return String.valueOf(e.getMessage());
        }
    }

    private static void reduceInVain(Communicator communicator) {
        DeviceBuffer memory = communicator.allocate(64);
        try (PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(memory, DataType.INT8))) {
            operation.run(LIMIT.plusSeconds(1));
            String message = replayInVain(communicator, operation, communicator.rank() != 1);
            assertTrue(message.contains("launch #2, allreduce of 64 bytes int8, sum, in place, by "), message);
            assertTrue(message.contains("rank 1: last completed #1, allreduce of 64 bytes"), message);
            assertTrue(message.contains("has not called #2"), message);
        }
    }

    @Test
    void isNamedOnAllRanks() {
        onThreads(3, FROM_ENQUEUE, LateReplayTest::reduceInVain);
    }

    /** Long before the watchdog takes the replay for late. */
    @Test
    void aWaitForTheStreamNamesTheRankThatDoesNotReplay() {
        CountDownLatch named = new CountDownLatch(2);
        WatchdogLimits never = new WatchdogLimits(Optional.of(LIMIT), Optional.of(LIMIT));
        onThreads(3, never, communicator -> {
            Stream stream = communicator.stream();
            DeviceBuffer memory = communicator.allocate(64);
            PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(memory, DataType.INT8));
            try (Graph graph = stream.capture(() -> operation.launch(stream))) {
                if (communicator.rank() == 1) {
                    named.await();
                } else {
                    graph.launch(stream);
                    OperationTimeoutException e =
                            assertThrows(OperationTimeoutException.class, () -> stream.synchronize(SHORT));
                    assertEquals(List.of(1), e.missingRanks(), e::getMessage);
                    assertTrue(String.valueOf(e.getMessage()).contains("has not called #1"), e::getMessage);
                    named.countDown();
                    named.await();
                    communicator.abort("it is over");
                }
            }
        });
    }

    @Test
    void isNoticedByWhenItBegan() {
        onThreads(2, FROM_START, communicator -> {
            DeviceBuffer memory = communicator.allocate(64);
            try (PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(memory, DataType.INT8))) {
                String message = replayInVain(communicator, operation, communicator.rank() != 1);
                assertTrue(message.contains("counted from when it began"), message);
            }
        });
    }

    /** Rank 0 gets what rank 2 sends, and waits for rank 1. */
    @Test
    void ofMessagesNamesWhoDoesNotTakePart() {
        onThreads(3, FROM_ENQUEUE, communicator -> {
            int rank = communicator.rank();
            DeviceBuffer memory = communicator.allocate(16);
            TransferCall call = rank == 0
                    ? TransferCall.batch().receive(memory.slice(0, 8), 1).receive(memory.slice(8, 8), 2)
                    : TransferCall.batch().send(memory.slice(0, 8), 0);
            try (PreparedOperation operation = communicator.prepare(call)) {
                String message;
                if (rank == 2) {
                    operation.launch();
                    operation.join(LIMIT);
                    assertThrows(OperationTimeoutException.class, communicator::barrier);
                    message = String.valueOf(assertThrows(OperationTimeoutException.class, communicator::barrier)
                            .getMessage());
                } else {
                    message = replayInVain(communicator, operation, rank == 0);
                }
                assertTrue(
                        message.contains("messages #1, receive 8 bytes from rank 1, receive 8 bytes from rank 2"),
                        message);
                assertTrue(message.contains("it could not receive 8 bytes from rank 1"), message);
            }
        });
    }

    @Test
    void ofAWaitForASignalNamesWhoDoesNotSignal() {
        onThreads(2, FROM_ENQUEUE, communicator -> {
            try (Window window = communicator.openWindow(communicator.allocate(8));
                    PreparedOperation operation = window.prepare(
                            communicator.rank() == 0 ? WindowCall.waitSignal(1) : WindowCall.signal(0))) {
                String message = replayInVain(communicator, operation, communicator.rank() == 0);
                assertTrue(message.contains("it could not wait for a signal from rank 1"), message);
            }
        });
    }

    /** Rank 1 replays another graph than the others. */
    @Test
    void ofAnotherGraphIsNamed() {
        onThreads(3, FROM_ENQUEUE, communicator -> {
            DeviceBuffer memory = communicator.allocate(64);
            try (PreparedOperation allReduce = communicator.prepare(CollectiveCall.allReduce(memory, DataType.INT8));
                    PreparedOperation broadcast =
                            communicator.prepare(CollectiveCall.broadcast(memory, memory, DataType.INT8, 2))) {
                PreparedOperation own = communicator.rank() == 1 ? broadcast : allReduce;
                String message = replayInVain(communicator, own, true);
                assertTrue(message.contains("rank 1 called broadcast of 64 bytes int8, root 2"), message);
                assertTrue(message.contains("where ranks 0 and 2 called allreduce of 64 bytes int8"), message);
            }
        });
    }
}
