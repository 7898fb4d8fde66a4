package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.UniqueId;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LateLaunch;

/**
 * Communicators over TCP, whose ranks are threads of this JVM. By itself, since a second is all that an abort or a loss
 * may take to be known.
 */
@Isolated
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RankProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);

    /** What one rank does with its communicator. */
    @FunctionalInterface
    private interface CommunicatorTask {
        void run(Communicator communicator) throws Exception;
    }

    /** Opens a communicator on every rank, and closes it in the end. */
    private static void open(int size, Duration timeout, CommunicatorTask task) throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(size, rank -> {
            try (Communicator communicator = Communicator.open(
                    CommunicatorOptions.rank(rank, size).uniqueId(id).timeout(timeout))) {
                task.run(communicator);
            }
        });
    }

    private static ExecutionPlan plan(String name) {
        return ExecutionPlan.load(Path.of("..", "examples", "plans", name + ".json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"allreduce_packets_2ranks"})
    void plansRun(String name) throws Exception {
        ExecutionPlan plan = plan(name);
        open(2, LIMIT, communicator -> {
            DeviceBuffer buffer = communicator.allocate(4096);
            try (PreparedOperation operation =
                    communicator.prepare(PlanCall.of(plan, buffer, buffer, DataType.INT32))) {
                for (int round = 1; round <= 20; round++) {
                    for (int i = 0; i < 1024; i++) {
                        buffer.segment().setAtIndex(ValueLayout.JAVA_INT, i, i * round + communicator.rank());
                    }
                    communicator.barrier();
                    operation.run(LIMIT);
                    for (int i = 0; i < 1024; i++) {
                        assertEquals(2 * i * round + 1, buffer.segment().getAtIndex(ValueLayout.JAVA_INT, i));
                    }
                }
            }
            communicator.barrier();
            buffer.close();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void ranksMeet(int size) throws Exception {
        open(size, LIMIT, communicator -> {
            assertEquals(size, communicator.size());
            for (int i = 0; i < 10; i++) {
                communicator.barrier();
            }
        });
    }

    @Test
    void differentCallsAreRefusedOnAllRanksAndTheCommunicatorStaysUsable() throws Exception {
        open(3, LIMIT, communicator -> {
            InvalidArgumentException e = assertThrows(
                    InvalidArgumentException.class, () -> communicator.allocate(communicator.rank() == 1 ? 8 : 16));
            assertTrue(
                    String.valueOf(e.getMessage()).contains("ranks [0, 2]: allocate 16 bytes; ranks [1]: allocate 8"),
                    e::getMessage);
            communicator.barrier();
        });
    }

    @Test
    void optionsThatDifferAreRefused() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(2, rank -> {
            InvalidArgumentException e = assertThrows(
                    InvalidArgumentException.class,
                    () -> Communicator.open(CommunicatorOptions.rank(rank, 2)
                            .uniqueId(id)
                            .timeout(LIMIT)
                            .name(rank == 0 ? "a" : "b")));
            assertTrue(String.valueOf(e.getMessage()).contains("communicator b"), e::getMessage);
        });
    }

    @Test
    void aRankThatDoesNotCallIsNamedAndMayBeLate() throws Exception {
        CountDownLatch others = new CountDownLatch(2);
        open(3, SHORT, communicator -> {
            if (communicator.rank() == 1) {
                others.await();
            } else {
                OperationTimeoutException e = assertThrows(OperationTimeoutException.class, communicator::barrier);
                assertTrue(e.missingRanks().contains(1), e::getMessage);
                assertFalse(e.missingRanks().contains(communicator.rank()), e::getMessage);
                others.countDown();
                others.await();
            }
            communicator.barrier();
        });
    }

    @Test
    void aRankOfAnotherNodeThatLaunchesLateIsNamed() throws Exception {
        UniqueId id = UniqueId.create();
        LateLaunch launch = new LateLaunch(2, 3);
        RankThreads.run(3, rank -> {
            try (Communicator communicator = Communicator.open(CommunicatorOptions.rank(rank, 3)
                    .ranksPerNode(1)
                    .uniqueId(id)
                    .timeout(LIMIT))) {
                launch.run(communicator);
            }
        });
    }

    @Test
    void limitsThatDifferAreRefused() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(2, rank -> {
            InvalidArgumentException e = assertThrows(
                    InvalidArgumentException.class,
                    () -> RankProcess.open(
                            CommunicatorOptions.rank(rank, 2).uniqueId(id).timeout(LIMIT),
                            new ExecutorOptions(rank == 0 ? 1 << 20 : 1 << 21, 1)));
            assertTrue(String.valueOf(e.getMessage()).contains("MSCCLJ_SCRATCH_LIMIT"), e::getMessage);
        });
    }

    @Test
    void anAbortReachesAllRanksAtOnce() throws Exception {
        long[] aborted = new long[1];
        CyclicBarrier met =
                new CyclicBarrier(3); // a barrier of ranks may fail where an abort overtakes the last arrival
        open(3, LIMIT, communicator -> {
            communicator.barrier();
            met.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (communicator.rank() == 1) {
                LockSupport.parkNanos(50_000_000); // so that the others wait
                aborted[0] = System.nanoTime();
                communicator.abort("had enough");
            } else {
                AbortedException e = assertThrows(AbortedException.class, communicator::barrier);
                assertTrue(System.nanoTime() - aborted[0] < 1_000_000_000, "an abort took more than a second");
                assertTrue(String.valueOf(e.getMessage()).contains("had enough"), e::getMessage);
            }
            assertThrows(AbortedException.class, () -> communicator.allocate(8));
        });
    }

    @Test
    void aRankThatHasClosedIsNamedAtOnce() throws Exception {
        open(3, LIMIT, communicator -> {
            communicator.barrier();
            if (communicator.rank() != 2) {
                RankLostException e = assertThrows(RankLostException.class, communicator::barrier);
                assertTrue(e.rank() != communicator.rank(), e::getMessage);
            }
        });
    }

    @Test
    void closingLeavesSlowerRanksAlone() throws Exception {
        for (int time = 0; time < 20; time++) {
            open(3, LIMIT, communicator -> {
                if (communicator.rank() == 2) {
                    LockSupport.parkNanos(2_000_000);
                }
                communicator.barrier();
            });
        }
    }

    @Test
    void childrenAreIndependentOfEachOtherAndOutliveTheirParent() throws Exception {
        ExecutionPlan plan = plan("allreduce_packets_2ranks");
        CyclicBarrier met = new CyclicBarrier(2);
        open(4, LIMIT, world -> {
            List<Integer> members = world.rank() % 2 == 0 ? List.of(2, 0) : List.of(1, 3);
            try (Communicator child = world.split(members, "child").orElseThrow()) {
                assertEquals(members.indexOf(world.rank()), child.rank());
                world.close();
                DeviceBuffer buffer = child.allocate(1024);
                buffer.segment().setAtIndex(ValueLayout.JAVA_INT, 0, world.rank());
                try (PreparedOperation operation = child.prepare(PlanCall.of(plan, buffer, buffer, DataType.INT32))) {
                    child.barrier();
                    operation.run(LIMIT);
                }
                assertEquals(
                        members.getFirst() + members.getLast(), buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 0));
                if (world.rank() % 2 == 0) {
                    child.barrier();
                    met.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    if (world.rank() == 0) {
                        child.abort("only this one");
                    }
                    assertThrows(AbortedException.class, child::barrier);
                } else {
                    for (int i = 0; i < 20; i++) {
                        child.barrier();
                    }
                }
            }
        });
    }
}
