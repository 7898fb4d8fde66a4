package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** Closing while something is in flight: memory stays until that has ended, and nothing waits for ever. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingTest {
    private static final ExecutionPlan PLAN = IntegerRanks.example("allreduce_packets_2ranks");

    private static PreparedOperation prepare(Communicator communicator) {
        DeviceBuffer buffer = communicator.allocate(1024);
        return communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32));
    }

    private static void runLate(PreparedOperation operation) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(200);
        operation.run(IntegerRanks.LIMIT);
    }

    @Test
    void anInterruptDoesNotCutClosingShort() {
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                PreparedOperation operation = prepare(communicator);
                if (communicator.rank() == 1) {
                    runLate(operation);
                    operation.close();
                    return;
                }
                operation.launch();
                Thread.currentThread().interrupt();
                operation.close();
                assertTrue(operation.isCompleted());
                assertTrue(Thread.interrupted());
            });
        }
    }

    @Test
    void anInterruptDoesNotCutClosingAStreamShort() {
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                PreparedOperation operation = prepare(communicator);
                if (communicator.rank() == 1) {
                    runLate(operation);
                } else {
                    Stream stream = communicator.device().createStream();
                    operation.launch(stream);
                    Thread.currentThread().interrupt();
                    stream.close();
                    assertTrue(operation.isCompleted());
                    assertTrue(Thread.interrupted());
                }
                operation.close();
            });
        }
    }

    @Test
    void whoClosesSecondWaitsForWhoClosesFirst() {
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                PreparedOperation operation = prepare(communicator);
                if (communicator.rank() == 1) {
                    runLate(operation);
                    operation.close();
                    return;
                }
                operation.launch();
                Thread first = Thread.ofPlatform().start(operation::close);
                while (first.getState() == Thread.State.NEW || first.getState() == Thread.State.RUNNABLE) {
                    Thread.onSpinWait(); // until it waits for the launch
                }
                operation.close();
                assertTrue(operation.isCompleted());
                first.join();
            });
        }
    }

    @Test
    void aCommunicatorWaitsForItsLaunchesOnAllStreamsAndEndsItsOperations() {
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                PreparedOperation operation = prepare(communicator);
                if (communicator.rank() == 1) {
                    runLate(operation);
                    communicator.close();
                    return;
                }
                try (Stream other = communicator.device().createStream()) {
                    operation.launch(other);
                    communicator.close();
                    assertTrue(operation.isCompleted());
                    assertThrows(InvalidArgumentException.class, () -> operation.launch(other));
                }
            });
        }
    }

    @Test
    void closingAnOperationThatAPeerNeverLaunchesEnds() {
        LocalGroupOptions options = LocalGroupOptions.ranks(2).timeout(Duration.ofMillis(500));
        try (LocalGroup group = LocalRanks.open(options, ExecutorOptions.DEFAULT)) {
            CountDownLatch ended = new CountDownLatch(1);
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class,
                    () -> group.run(communicator -> {
                        PreparedOperation operation = prepare(communicator);
                        if (communicator.rank() == 1) {
                            ended.await();
                            assertTrue(communicator.isAborted());
                            return;
                        }
                        try (operation) {
                            operation.run(Duration.ofMillis(100));
                        } finally {
                            ended.countDown();
                        }
                    }));
            assertEquals(List.of(1), e.missingRanks(), e::getMessage);
        }
    }

    @Test
    void nothingIsOrderedAfterWorkOfACommunicatorThatWasAborted() {
        try (LocalGroup group = LocalGroup.open(1)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(64);
                Work work = communicator.execute(CollectiveCall.allReduce(buffer, DataType.INT32));
                work.join();
                try (Stream other = communicator.device().createStream()) {
                    work.await(other);
                    communicator.abort("mine");
                    AbortedException e = assertThrows(AbortedException.class, () -> work.await(other));
                    assertTrue(String.valueOf(e.getMessage()).contains("mine"), e::getMessage);
                }
            });
        }
    }

    @Test
    void lateLaunchesAreNamedByTheirNumberAmongAllAndByWhatIsAhead() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(IntegerRanks.LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(64);
                CollectiveCall sum = CollectiveCall.allReduce(buffer, DataType.INT32);
                try (PreparedOperation first = communicator.prepare(sum);
                        PreparedOperation second =
                                communicator.prepare(CollectiveCall.broadcast(buffer, buffer, DataType.INT32, 1))) {
                    first.run(IntegerRanks.LIMIT);
                    if (communicator.rank() == 0) {
                        first.launch();
                        second.launch();
                        OperationTimeoutException late =
                                assertThrows(OperationTimeoutException.class, () -> second.join(Duration.ofMillis(20)));
                        String words = String.valueOf(late.getMessage());
                        assertTrue(words.startsWith("broadcast of 64 bytes int32"), words);
                        assertTrue(
                                words.contains(", launch #3, rank 0: not ended after 20 ms; it waits behind launch"
                                        + " #2 of this rank, allreduce of 64 bytes int32, sum, in place"),
                                words);
                        communicator.barrier();
                    } else {
                        communicator.barrier();
                        first.launch();
                        second.launch();
                    }
                    second.join(IntegerRanks.LIMIT);
                }
            });
        }
    }

    @Test
    void closingTheGroupClosesWhatWasSplitFromIt() {
        LocalGroupOptions options = LocalGroupOptions.ranks(2).timeout(Duration.ofMillis(500));
        List<Communicator> children = new CopyOnWriteArrayList<>();
        LocalGroup group = LocalRanks.open(options, ExecutorOptions.DEFAULT);
        group.run(communicator ->
                children.add(communicator.split(List.of(0, 1), "child").orElseThrow()));
        group.close();
        assertEquals(2, children.size());
        children.forEach(child -> assertThrows(InvalidArgumentException.class, child::barrier));
    }

    /** Rank 2 takes no part any more: whoever waits for it hears of it at once, and nobody is aborted. */
    private static void callWithoutTheLast(Communicator communicator) {
        if (communicator.rank() == 2) {
            communicator.close();
            return;
        }
        RankLostException waiting = assertThrows(RankLostException.class, communicator::barrier);
        assertEquals(2, waiting.rank());
        RankLostException later = assertThrows(RankLostException.class, () -> communicator.allocate(64));
        assertEquals(2, later.rank());
        assertTrue(String.valueOf(later.getMessage()).contains("rank 2 has closed its communicator"));
        assertFalse(communicator.isAborted());
    }

    @Test
    void whoWaitsForARankThatHasClosedHearsOfItAtOnce() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(3).timeout(Duration.ofMinutes(10)))) {
            group.run(ClosingTest::callWithoutTheLast);
        }
    }

    /** Rank 2 has closed; the others have launched what it never will. The group stays usable until they close that. */
    private static void launchWithoutTheLast(Communicator communicator, Communicator group) {
        DeviceBuffer buffer = communicator.allocate(64);
        PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
        CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT32);
        communicator.execute(call).join(); // which sets this kind up
        operation.run(IntegerRanks.LIMIT); // which rank 2 has made, and may have ended sooner
        if (communicator.rank() == 2) {
            communicator.close();
            group.barrier();
            group.barrier();
            return;
        }
        operation.launch();
        RankLostException joined = assertThrows(RankLostException.class, () -> operation.join(Duration.ofMinutes(10)));
        assertEquals(2, joined.rank());
        String message = String.valueOf(joined.getMessage());
        assertTrue(message.contains("launch #3"), message);
        assertTrue(message.contains("rank 2 has closed its communicator"), message);
        Work work = communicator.execute(call);
        CompletionException future = assertThrows(
                CompletionException.class, () -> work.toCompletableFuture().join());
        assertEquals(
                2, assertInstanceOf(RankLostException.class, future.getCause()).rank());
        assertFalse(communicator.isAborted());
        group.barrier();
        operation.close(); // which ends it on all ranks
        assertEquals(2, assertThrows(RankLostException.class, work::join).rank());
        group.barrier();
    }

    @Test
    void whoHasLaunchedWhatAClosedRankNeverWillHearsOfItAtOnce() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(3).timeout(Duration.ofMinutes(10)))) {
            group.run(communicator -> {
                try (Communicator child =
                        communicator.split(List.of(0, 1, 2), "child").orElseThrow()) {
                    launchWithoutTheLast(child, communicator);
                }
            });
        }
    }

    @Test
    void whatARankHasLaunchedBeforeItClosedIsNotLost() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(Duration.ofMinutes(10)))) {
            group.run(communicator -> {
                try (Communicator child =
                        communicator.split(List.of(0, 1), "child").orElseThrow()) {
                    DeviceBuffer buffer = child.allocate(64);
                    Work work = child.execute(CollectiveCall.broadcast(buffer, buffer, DataType.INT32, 0));
                    if (child.rank() == 0) { // sends, and may be done before the other one
                        work.join();
                        child.close();
                        communicator.barrier();
                    } else {
                        communicator.barrier();
                        work.join();
                    }
                }
            });
        }
    }

    @Test
    void messagesGoOnWithoutARankThatHasClosed() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(3).timeout(Duration.ofMinutes(10)))) {
            group.run(communicator -> {
                try (Communicator child =
                        communicator.split(List.of(0, 1, 2), "child").orElseThrow()) {
                    DeviceBuffer buffer = child.device().allocate(64);
                    if (child.rank() == 2) {
                        child.close();
                        communicator.barrier();
                    } else {
                        communicator.barrier();
                        if (child.rank() == 0) {
                            Thread.sleep(300); // far longer than a rank looks for who has closed
                            child.send(buffer, 1).join();
                        } else {
                            child.receive(buffer, 0).join();
                        }
                    }
                    communicator.barrier();
                }
            });
        }
    }

    @Test
    void childrenOfAGroupAreClosedOneByOne() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(3).timeout(Duration.ofMinutes(10)))) {
            group.run(communicator -> {
                try (Communicator child =
                        communicator.split(List.of(0, 1, 2), "child").orElseThrow()) {
                    callWithoutTheLast(child);
                    communicator.barrier(); // else the other one may have closed its own, too
                }
                communicator.barrier();
            });
        }
    }

    @Test
    void aRankWhoseThreadHasEndedIsUsedByAnotherOne() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(Duration.ofSeconds(1)))) {
            group.run(communicator -> {
                if (communicator.rank() == 0) { // rank 1 may come yet
                    OperationTimeoutException e = assertThrows(OperationTimeoutException.class, communicator::barrier);
                    assertEquals(List.of(1), e.missingRanks());
                }
            });
            group.run(Communicator::barrier);
        }
    }
}
