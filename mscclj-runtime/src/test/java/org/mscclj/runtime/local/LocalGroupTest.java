package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** What a group of ranks promises: errors on all ranks alike, names of the missing, ends instead of hangs. */
class LocalGroupTest {
    private static final ExecutionPlan PLAN = IntegerRanks.example("allreduce_direct_4ranks");

    private static LocalGroup open() {
        return IntegerRanks.open(4, ExecutorOptions.DEFAULT);
    }

    @Test
    void anUnknownBackendIsRefusedWithWhatIsInstalled() {
        UnsupportedException e = assertThrows(
                UnsupportedException.class,
                () -> LocalGroup.open(LocalGroupOptions.ranks(2).backend("abacus")));
        assertTrue(String.valueOf(e.getMessage()).contains("abacus"), e::getMessage);
        assertTrue(String.valueOf(e.getMessage()).contains("host (usable)"), e::getMessage);
    }

    @Test
    void aBadCallOnOneRankIsRefusedOnAllAndTheCommunicatorStaysUsable() {
        try (LocalGroup group = open()) {
            AtomicInteger refused = new AtomicInteger();
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(1024);
                DeviceBuffer given = communicator.rank() == 2 ? buffer.slice(0, 1023) : buffer;
                InvalidArgumentException e = assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.prepare(PlanCall.of(PLAN, given, given, DataType.INT32)));
                assertTrue(String.valueOf(e.getMessage()).contains("rank 2"), e::getMessage);
                assertTrue(String.valueOf(e.getMessage()).contains("1023 bytes"), e::getMessage);
                refused.incrementAndGet();
                IntegerRanks.fill(buffer, communicator.rank(), 0);
                try (PreparedOperation good = communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32))) {
                    good.run(IntegerRanks.LIMIT);
                }
                IntegerRanks.requireSum(communicator, buffer, 0);
                communicator.barrier();
                buffer.close();
            });
            assertEquals(4, refused.get());
        }
    }

    @Test
    void differentOperationsOnDifferentRanksAreRefused() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(1024);
                ReduceOp op = communicator.rank() == 3 ? ReduceOp.MAX : ReduceOp.SUM;
                InvalidArgumentException e = assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32)
                                .op(op)));
                assertTrue(String.valueOf(e.getMessage()).contains("ranks [3]"), e::getMessage);
                buffer.close();
            });
        }
    }

    @Test
    void differentCollectiveCallsAreRefusedOnAllRanks() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> {
                    if (communicator.rank() == 0) {
                        communicator.barrier();
                    } else {
                        communicator.allocate(64);
                    }
                });
                assertTrue(String.valueOf(e.getMessage()).contains("ranks [0]: barrier"), e::getMessage);
            });
        }
    }

    @Test
    void aRankThatDoesNotCallIsNamed() {
        LocalGroupOptions options = LocalGroupOptions.ranks(3).timeout(Duration.ofMillis(200));
        try (LocalGroup group = LocalRanks.open(options, ExecutorOptions.DEFAULT)) {
            CountDownLatch others = new CountDownLatch(2);
            group.run(communicator -> {
                if (communicator.rank() == 1) {
                    others.await();
                    return;
                }
                OperationTimeoutException e = assertThrows(OperationTimeoutException.class, communicator::barrier);
                others.countDown();
                assertTrue(e.missingRanks().contains(1), e::getMessage);
            });
        }
    }

    @Test
    void aLaunchThatARankDoesNotMakeTimesOutAndNamesIt() {
        try (LocalGroup group = open()) {
            CountDownLatch others = new CountDownLatch(3);
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(1024);
                PreparedOperation operation = communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32));
                if (communicator.rank() == 1) {
                    others.await();
                    operation.run(IntegerRanks.LIMIT);
                } else {
                    OperationTimeoutException e =
                            assertThrows(OperationTimeoutException.class, () -> operation.run(Duration.ofMillis(100)));
                    assertEquals(List.of(1), e.missingRanks(), e::getMessage);
                    others.countDown();
                    operation.join(IntegerRanks.LIMIT); // it was only late
                }
                operation.close();
                communicator.barrier();
                buffer.close();
            });
        }
    }

    @Test
    void abortEndsEveryWaitOnEveryRank() {
        try (LocalGroup group = open()) {
            CountDownLatch met = new CountDownLatch(group.size());
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(1024);
                PreparedOperation operation = communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32));
                communicator.barrier();
                met.countDown(); // or a rank could still be preparing, or at the barrier, when the abort comes
                if (communicator.rank() == 1) {
                    met.await();
                    communicator.abort("had enough");
                    assertThrows(AbortedException.class, communicator::barrier);
                } else {
                    AbortedException e = assertThrows(AbortedException.class, () -> operation.run(IntegerRanks.LIMIT));
                    assertTrue(String.valueOf(e.getMessage()).contains("had enough"), e::getMessage);
                }
                operation.close();
                assertThrows(AbortedException.class, () -> communicator.allocate(8));
            });
        }
    }

    @Test
    void theFirstFailureOfATaskEndsTheGroupAndIsThrown() {
        try (LocalGroup group = open()) {
            IllegalStateException e = assertThrows(
                    IllegalStateException.class,
                    () -> group.run(communicator -> {
                        if (communicator.rank() == 2) {
                            throw new IllegalStateException("rank 2 stops");
                        }
                        communicator.barrier();
                    }));
            assertEquals("rank 2 stops", e.getMessage());
            assertEquals(3, e.getSuppressed().length);
        }
    }

    @Test
    void aBufferInUseCannotBeFreed() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(1024);
                PreparedOperation operation = communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32));
                assertThrows(InvalidArgumentException.class, buffer::close);
                operation.close();
                communicator.barrier();
                buffer.close();
                buffer.close();
                assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32)));
            });
        }
    }

    @Test
    void workIsOrderedIntoStreamsAndTellsWhatRan() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(4096);
                DeviceBuffer copy = communicator.allocate(4096);
                IntegerRanks.fill(buffer, communicator.rank(), 5);
                Work work = communicator.execute(PlanCall.of(PLAN, buffer, buffer, DataType.INT32));
                try (var other = communicator.device().createStream()) {
                    work.await(other);
                    other.copy(buffer, copy);
                    other.synchronize(IntegerRanks.LIMIT);
                }
                IntegerRanks.requireSum(communicator, copy, 5);
                assertTrue(work.isCompleted());
                work.join();
                assertEquals(PLAN.name(), work.algorithm());
                assertEquals(1, work.sequence());
                communicator.barrier();
                buffer.close();
                copy.close();
            });
        }
    }

    @Test
    void splitsAreCheckedOnAllRanks() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.split(
                                communicator.rank() == 0 ? List.of(1, 2) : List.of(communicator.rank()), "bad"));
                assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.split(
                                communicator.rank() == 0 ? List.of(0, 1) : List.of(communicator.rank()), "uneven"));
                var reversed =
                        communicator.split(List.of(3, 2, 1, 0), "reversed").orElseThrow();
                assertEquals(3 - communicator.rank(), reversed.rank());
                reversed.barrier();
                reversed.close();
            });
        }
    }
}
