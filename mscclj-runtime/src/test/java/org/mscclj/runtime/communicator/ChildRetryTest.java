package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.Quorum;
import org.mscclj.api.Stores;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Those who are left have met, and one of them fails while their communicator is set up: all may call again. */
@Execution(ExecutionMode.CONCURRENT) // they wait
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChildRetryTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /**
     * Long enough for what succeeds, also where the machine stands still for seconds; each test that somebody is late
     * in takes as long.
     */
    private static final Duration SHORT = Duration.ofSeconds(6);

    /** More than short even on a busy machine, and less than long. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final int INTERRUPTED = 2;

    private final WatchedDevices devices = new WatchedDevices();

    private static int sum(Communicator communicator, int own) {
        try (DeviceBuffer buffer = communicator.allocate(64)) {
            buffer.segment().set(ValueLayout.JAVA_INT, 60, own);
            communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM).join();
            return buffer.segment().get(ValueLayout.JAVA_INT, 60);
        }
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Rank 1 stays away from making a child until rank 2 has waited for it and was interrupted; what that throws. */
    private MsccljException interruptOneOf(Communicator communicator, CountDownLatch interrupted, Executable making) {
        int rank = communicator.rank();
        devices.whenAllocating(
                rank, rank == INTERRUPTED ? Thread.currentThread()::interrupt : () -> await(interrupted));
        MsccljException e = assertThrows(MsccljException.class, making);
        assertEquals(rank == INTERRUPTED, Thread.interrupted());
        interrupted.countDown();
        return e;
    }

    @ParameterizedTest
    @EnumSource(JoinedRanks.class)
    void whoIsInterruptedIsNotLostAndMayCallAgain(JoinedRanks form) throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        form.run(devices, LONG, communicator -> {
            int rank = communicator.rank();
            if (rank == 0) {
                return;
            }
            MsccljException e = interruptOneOf(communicator, interrupted, () -> communicator.shrink(List.of(0)));
            assertInstanceOf(AbortedException.class, e, "nobody is lost: " + e);
            assertTrue(String.valueOf(e.getMessage()).contains("interrupted"), e::getMessage);
            assertFalse(communicator.isAborted());
            try (Communicator left = communicator.shrink(List.of(0))) {
                assertEquals(3, sum(left, rank));
            }
        });
    }

    /**
     * Rank 1 has met rank 2, and begins to set up what that has given up: it does not wait there for a call that may
     * never come.
     */
    @ParameterizedTest
    @EnumSource(JoinedRanks.class)
    void whoComesToWhatIsGivenUpHearsOfIt(JoinedRanks form) throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CyclicBarrier thrown = new CyclicBarrier(2);
        form.run(devices, LONG, communicator -> {
            int rank = communicator.rank();
            if (rank == 0) {
                return;
            }
            if (rank == INTERRUPTED) {
                devices.whenAllocating(rank, Thread.currentThread()::interrupt);
            } else {
                devices.whenCreatingAStream(rank, () -> await(interrupted));
            }
            assertThrows(AbortedException.class, () -> communicator.shrink(List.of(0)));
            assertEquals(rank == INTERRUPTED, Thread.interrupted());
            interrupted.countDown();
            thrown.await();
            try (Communicator left = communicator.shrink(List.of(0))) {
                assertEquals(3, sum(left, rank));
            }
        });
    }

    /**
     * Rank 1 comes, and is late while the new communicator is set up; ranks whose calls are short name it soon, as a
     * rank of the old one.
     */
    private void lateInSetUp(Communicator communicator, CountDownLatch late, Consumer<Duration> making) {
        int rank = communicator.rank();
        if (rank == 1) {
            devices.whenAllocating(rank, () -> await(late));
        }
        long began = System.nanoTime();
        OperationTimeoutException e =
                assertThrows(OperationTimeoutException.class, () -> making.accept(rank == 1 ? LONG : SHORT));
        assertTrue(System.nanoTime() - began < SOON.toNanos(), e::getMessage);
        assertEquals(List.of(1), e.missingRanks(), e::getMessage);
        late.countDown();
        assertFalse(communicator.isAborted());
    }

    @ParameterizedTest
    @EnumSource(JoinedRanks.class)
    void whoIsLateIsNamedAndAllMayCallAgain(JoinedRanks form) throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        form.run(devices, LONG, communicator -> {
            int rank = communicator.rank();
            if (rank == 0) {
                return;
            }
            lateInSetUp(communicator, late, timeout -> communicator.shrink(List.of(0), timeout));
            try (Communicator left = communicator.shrink(List.of(0))) {
                assertEquals(3, sum(left, rank));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(JoinedRanks.class)
    void whoIsLateInASplitIsNamedAndAllMayCallAgain(JoinedRanks form) throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        form.run(devices, LONG, communicator -> {
            int rank = communicator.rank();
            List<Integer> pair = rank == 0 ? List.of() : List.of(2, 1);
            if (rank > 0) {
                lateInSetUp(communicator, late, timeout -> communicator.split(pair, "pair", timeout));
            } else {
                communicator.split(pair, "pair");
            }
            communicator.split(pair, "pair").ifPresent(child -> {
                assertEquals(3, sum(child, rank));
                child.close();
            });
        });
    }

    /** The rendezvous has taken its part of the time. */
    @Test
    void whoIsLateInAReconfigurationIsNamed() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        Quorum quorum = Quorum.of("late", List.of(0, 1, 2)).store(Stores.inProcess());
        JoinedRanks.MESH.run(
                devices,
                LONG,
                communicator -> lateInSetUp(communicator, late, timeout -> communicator.reconfigure(quorum, timeout)));
    }

    @ParameterizedTest
    @EnumSource(JoinedRanks.class)
    void anInterruptAtAnyMomentFailsAllOrNobody(JoinedRanks form) throws Exception {
        for (int moment = 0; moment < 12; moment++) {
            long delay = moment * 200_000L;
            AtomicIntegerArray thrown = new AtomicIntegerArray(3);
            form.run(devices, LONG, communicator -> {
                int rank = communicator.rank();
                if (rank == 0) {
                    return;
                }
                Thread interrupter = new Thread(() -> {});
                if (rank == INTERRUPTED) {
                    Thread shrinking = Thread.currentThread();
                    interrupter = Thread.ofPlatform().start(() -> {
                        LockSupport.parkNanos(delay);
                        shrinking.interrupt();
                    });
                }
                try (Communicator left = untilNobodyGivesUp(communicator, thrown)) {
                    while (interrupter.isAlive()) {
                        Thread.onSpinWait();
                    }
                    boolean _ = Thread.interrupted();
                    assertEquals(3, sum(left, rank));
                }
            });
            assertTrue(thrown.get(INTERRUPTED) <= 1, thrown::toString);
            // before it has met the other, it throws alone
            assertTrue(thrown.get(3 - INTERRUPTED) <= thrown.get(INTERRUPTED), thrown::toString);
        }
    }

    private static Communicator untilNobodyGivesUp(Communicator communicator, AtomicIntegerArray thrown) {
        for (int tries = 1; ; tries++) {
            try {
                return communicator.shrink(List.of(0));
            } catch (AbortedException e) {
                boolean _ = Thread.interrupted();
                thrown.incrementAndGet(communicator.rank());
                assertTrue(tries < 5, () -> "there was only one interrupt: " + e.getMessage());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(JoinedRanks.class)
    void itMayFailAgainAndAgain(JoinedRanks form) throws Exception {
        CyclicBarrier tried = new CyclicBarrier(2);
        form.run(devices, LONG, communicator -> {
            int rank = communicator.rank();
            if (rank == 0) {
                return;
            }
            for (int i = 0; i < 5; i++) {
                if (rank == 1 + (i % 2)) {
                    devices.whenAllocating(rank, () -> {
                        throw new IllegalStateException("on purpose");
                    });
                }
                RuntimeException e = assertThrows(RuntimeException.class, () -> communicator.shrink(List.of(0)));
                assertTrue(String.valueOf(e.getMessage()).contains("on purpose"), e::toString);
                tried.await();
            }
            try (Communicator left = communicator.shrink(List.of(0))) {
                assertEquals(3, sum(left, rank));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(JoinedRanks.class)
    void whoGivesASplitUpIsNotLost(JoinedRanks form) throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        form.run(devices, LONG, communicator -> {
            int rank = communicator.rank();
            List<Integer> pair = rank == 0 ? List.of() : List.of(2, 1);
            if (rank > 0) {
                MsccljException e = interruptOneOf(communicator, interrupted, () -> communicator.split(pair, "pair"));
                assertFalse(e instanceof RankLostException, e::toString);
            } else {
                communicator.split(pair, "pair");
            }
            communicator.split(pair, "pair").ifPresent(child -> {
                assertEquals(3, sum(child, rank));
                child.close();
            });
        });
    }
}
