package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroup.RankTask;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.UniqueId;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.bootstrap.RankThreads;

/** Those who are left go on. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShrinkTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** How ranks are joined. */
    enum Form {
        /** As threads of a local group. */
        LOCAL {
            @Override
            void run(int ranks, Duration timeout, RankTask task) {
                try (LocalGroup group =
                        LocalGroup.open(LocalGroupOptions.ranks(ranks).timeout(timeout))) {
                    group.run(task);
                }
            }
        },
        /** Through sockets, as processes are. */
        MESH {
            @Override
            void run(int ranks, Duration timeout, RankTask task) throws Exception {
                UniqueId id = UniqueId.create();
                RankThreads.run(ranks, rank -> {
                    CommunicatorOptions options =
                            CommunicatorOptions.rank(rank, ranks).uniqueId(id).timeout(LONG);
                    try (Communicator all = Communicator.open(options.timeout(timeout))) {
                        task.run(all);
                    }
                });
            }
        };

        abstract void run(int ranks, Duration timeout, RankTask task) throws Exception;
    }

    /** Adds up the numbers of all ranks. */
    private static int sum(Communicator communicator, int own) {
        try (DeviceBuffer buffer = communicator.allocate(64)) {
            buffer.segment().set(ValueLayout.JAVA_INT, 60, own);
            communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM).join();
            return buffer.segment().get(ValueLayout.JAVA_INT, 60);
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void whoIsLeftAfterAnAbortKeepsItsOrder(Form form) throws Exception {
        CountDownLatch added = new CountDownLatch(4);
        form.run(4, LONG, communicator -> {
            int rank = communicator.rank();
            assertEquals(10, sum(communicator, rank + 1));
            added.countDown();
            if (rank == 1) {
                added.await(); // whom an abort finds in a call gets an exception there
                communicator.abort("had enough");
                return;
            }
            try (Communicator left = communicator.shrink(List.of(1))) {
                assertEquals(3, left.size());
                assertEquals(List.of(0, 2, 3).indexOf(rank), left.rank());
                assertEquals(communicator.name() + "-shrunk", left.name());
                assertEquals(8, sum(left, rank + 1));
                try (Communicator half = left.split(left.rank() < 2 ? List.of(1, 0) : List.of(2), "half")
                        .orElseThrow()) {
                    assertEquals(4, sum(half, rank + 1)); // 1 + 3, or 4 alone
                }
                if (rank == 0) {
                    return; // leaves in an orderly way
                }
                try (Communicator pair = left.shrink(List.of(0))) {
                    assertEquals(7, sum(pair, rank + 1));
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void nobodyNeedBeLost(Form form) throws Exception {
        form.run(3, LONG, communicator -> {
            try (Communicator same = communicator.shrink(List.of())) {
                assertEquals(6, sum(same, communicator.rank() + 1));
                assertTrue(communicator.isAborted());
                assertThrows(AbortedException.class, communicator::barrier);
                assertThrows(InvalidArgumentException.class, () -> communicator.shrink(List.of()));
                communicator.close();
                assertEquals(3, sum(same, 1));
            }
            assertThrows(InvalidArgumentException.class, () -> communicator.shrink(List.of()));
        });
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void whoIsExcludedIsToldWhileItWaits(Form form) throws Exception {
        form.run(3, LONG, communicator -> {
            try (DeviceBuffer buffer = communicator.allocate(64);
                    PreparedOperation operation =
                            communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32))) {
                if (communicator.rank() == 2) { // alone in an operation
                    AbortedException e = assertThrows(AbortedException.class, () -> operation.run(LONG));
                    assertTrue(String.valueOf(e.getMessage()).contains("it was shrunk"), e::getMessage);
                } else {
                    try (Communicator left = communicator.shrink(List.of(2))) {
                        assertEquals(3, sum(left, communicator.rank() + 1));
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void whoDoesNotCallIsNamedAndMayCallLater(Form form) throws Exception {
        CountDownLatch named = new CountDownLatch(1);
        form.run(3, SHORT, communicator -> {
            int rank = communicator.rank();
            if (rank == 0) {
                return;
            }
            if (rank == 1) {
                OperationTimeoutException e =
                        assertThrows(OperationTimeoutException.class, () -> communicator.shrink(List.of(0)));
                assertEquals(List.of(2), e.missingRanks(), e::getMessage);
                named.countDown();
            } else {
                named.await();
            }
            try (Communicator left = untilAllCall(communicator, List.of(0))) {
                assertEquals(3, sum(left, rank));
            }
        });
    }

    /** On a busy machine others may come later than the short timeout of these tests. */
    private static Communicator untilAllCall(Communicator communicator, List<Integer> excluded) {
        while (true) {
            try {
                return communicator.shrink(excluded);
            } catch (OperationTimeoutException e) {
                assertTrue(!e.missingRanks().contains(communicator.rank()), e::getMessage);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void differentListsAreToldToAllWhoMayThenAgree(Form form) throws Exception {
        CyclicBarrier tried = new CyclicBarrier(3);
        form.run(3, LONG, communicator -> {
            int rank = communicator.rank();
            if (rank < 2) {
                InvalidArgumentException e = assertThrows(
                        InvalidArgumentException.class, () -> communicator.shrink(rank == 0 ? List.of(2) : List.of()));
                assertTrue(
                        String.valueOf(e.getMessage()).contains("rank 0 without ranks [2]; rank 1 without ranks []"),
                        e::getMessage);
                tried.await();
                try (Communicator left = communicator.shrink(List.of(2))) {
                    assertEquals(1, sum(left, rank));
                }
            } else {
                tried.await(); // a rank that has closed its communicator is named at once
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void ofTwoHalvesThatExcludeEachOtherOneGoesOn(Form form) throws Exception {
        Set<Integer> formed = ConcurrentHashMap.newKeySet();
        CyclicBarrier over = new CyclicBarrier(4);
        form.run(4, LONG, communicator -> {
            int rank = communicator.rank();
            List<Integer> others = rank < 2 ? List.of(2, 3) : List.of(0, 1);
            try (Communicator left = communicator.shrink(others)) {
                assertEquals(1, sum(left, rank % 2));
                formed.add(rank / 2);
                over.await();
            } catch (InvalidArgumentException e) {
                over.await();
                InvalidArgumentException later =
                        assertThrows(InvalidArgumentException.class, () -> communicator.shrink(others));
                assertTrue(
                        String.valueOf(later.getMessage())
                                .contains("goes on without ranks [" + (rank < 2 ? "0, 1" : "2, 3") + "]"),
                        later::getMessage);
            }
        });
        assertEquals(1, formed.size());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void aRankThatHasClosedIsNamedAtOnce(Form form) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        form.run(2, LONG, communicator -> {
            if (communicator.rank() == 1) {
                communicator.close();
                closed.countDown();
                return;
            }
            closed.await();
            RankLostException e = assertThrows(RankLostException.class, () -> communicator.shrink(List.of()));
            assertEquals(1, e.rank());
        });
    }

    @Test
    void aRankThatGivesUpIsNamed() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch named = new CountDownLatch(1);
        Form.MESH.run(3, LONG, communicator -> {
            if (communicator.rank() == 0) {
                waiting.countDown();
                RankLostException e = assertThrows(RankLostException.class, () -> communicator.shrink(List.of()));
                assertEquals(1, e.rank(), e::getMessage);
                named.countDown();
            } else if (communicator.rank() == 1) {
                waiting.await();
                assertThrows(AbortedException.class, () -> {
                    Thread.currentThread().interrupt();
                    communicator.shrink(List.of());
                });
                assertTrue(Thread.interrupted());
                communicator.close(); // gives up what was begun
            } else {
                named.await(); // it does not call
            }
        });
    }

    /** If it had met the others, those are interrupted, too, and call again; else they wait until it does. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void aRankThatWasInterruptedMayCallAgain(Form form) throws Exception {
        form.run(3, LONG, communicator -> {
            for (int i = 0; communicator.rank() == 1 && i < 3; i++) {
                Thread.currentThread().interrupt();
                assertThrows(AbortedException.class, () -> communicator.shrink(List.of()));
                assertTrue(Thread.interrupted());
            }
            try (Communicator same = unlessAborted(communicator)) {
                assertEquals(6, sum(same, communicator.rank() + 1));
            }
        });
    }

    private static Communicator unlessAborted(Communicator communicator) {
        while (true) {
            try {
                return communicator.shrink(List.of());
            } catch (AbortedException _) {
                assertFalse(communicator.isAborted(), "nothing has happened to it");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void badListsChangeNothing(Form form) throws Exception {
        form.run(2, LONG, communicator -> {
            for (List<Integer> bad : List.of(List.of(communicator.rank()), List.of(-1), List.of(2), List.of(5, 5))) {
                assertThrows(InvalidArgumentException.class, () -> communicator.shrink(bad), bad::toString);
            }
            int other = 1 - communicator.rank();
            assertThrows(InvalidArgumentException.class, () -> communicator.shrink(List.of(other, other)));
            assertEquals(3, sum(communicator, communicator.rank() + 1));
        });
    }
}
