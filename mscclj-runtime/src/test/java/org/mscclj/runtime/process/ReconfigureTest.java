package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.Quorum;
import org.mscclj.api.Stores;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.store.FailingStore;

/** Memberships follow one another. Ranks are threads here, which meet as processes do. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReconfigureTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(700);

    private final Store store = Stores.inProcess();

    /** Of the first membership; newcomers do not know its secret. */
    private Communicator open(int rank, int size, Duration timeout) {
        return Communicator.open(CommunicatorOptions.rank(rank, size)
                .store(store)
                .secret("of the first membership")
                .timeout(timeout));
    }

    private static Communicator join(Quorum quorum, int rank) {
        return Communicator.open(CommunicatorOptions.newcomer(quorum, rank).timeout(LIMIT));
    }

    /** What all ranks together have, each its rank's power of two. */
    private static void requireSum(Communicator communicator) {
        try (DeviceBuffer buffer = communicator.allocate(Integer.BYTES)) {
            requireSum(communicator, buffer);
        }
    }

    private static void requireSum(Communicator communicator, DeviceBuffer buffer) {
        buffer.segment().set(ValueLayout.JAVA_INT, 0, 1 << communicator.rank());
        communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM).join();
        assertEquals((1 << communicator.size()) - 1, buffer.segment().get(ValueLayout.JAVA_INT, 0));
    }

    private static void assertMentions(MsccljException e, String... words) {
        for (String word : words) {
            assertTrue(String.valueOf(e.getMessage()).contains(word), e::getMessage);
        }
    }

    @Test
    void twoGrowToFourAndThenToTwoOthers() throws Exception {
        Quorum four = Quorum.of("four", List.of(0, 1), 2).store(store);
        Quorum two = Quorum.of("two", List.of(3, 1)).store(store);
        RankThreads.run(4, rank -> {
            Communicator grown;
            if (rank < 2) {
                try (Communicator world = open(rank, 2, LIMIT)) {
                    requireSum(world);
                    grown = world.reconfigure(four);
                    assertTrue(world.isAborted());
                    assertThrows(AbortedException.class, world::barrier);
                    assertMentions(
                            assertThrows(InvalidArgumentException.class, () -> world.reconfigure(two)),
                            "has a successor");
                }
            } else {
                grown = join(four, rank);
            }
            assertEquals(List.of(rank, 4), List.of(grown.rank(), grown.size()));
            assertEquals("four", grown.name());
            assertEquals(4, grown.ranksPerNode());
            requireSum(grown);
            if (rank % 2 == 0) {
                assertMentions(
                        assertThrows(InvalidArgumentException.class, () -> grown.reconfigure(two)),
                        "rank " + rank + " of communicator four",
                        "none of the members of quorum two, [3, 1]");
            } else {
                try (Communicator left = grown.reconfigure(two)) {
                    assertEquals(rank == 3 ? 0 : 1, left.rank());
                    requireSum(left);
                }
            }
            grown.close();
        });
    }

    @Test
    void anAbortedCommunicatorGoesOnAndItsMemoryToo() throws Exception {
        Quorum quorum = Quorum.of("after-abort", List.of(2, 0)).store(store);
        CyclicBarrier opened = new CyclicBarrier(3);
        RankThreads.run(3, rank -> {
            Communicator world = open(rank, 3, LIMIT);
            opened.await(); // whoever is still opening would hear of the abort there
            DeviceBuffer buffer = world.device().allocate(Integer.BYTES);
            world.abort("had enough");
            if (rank == 1) {
                world.close();
                return;
            }
            Communicator left = world.reconfigure(quorum);
            world.close();
            requireSum(left, buffer);
            buffer.close();
            left.close();
        });
    }

    @Test
    void whatASplitHasMadeIsReconfiguredByItself() throws Exception {
        UniqueId id = UniqueId.create();
        Quorum quorum = Quorum.of("pair-and-one", List.of(0, 1), 1).uniqueId(id);
        RankThreads.run(4, thread -> {
            if (thread == 3) {
                try (Communicator grown = join(quorum, 2)) {
                    requireSum(grown);
                }
                return;
            }
            try (Communicator world = open(thread, 3, LIMIT)) {
                List<Integer> members = thread == 0 ? List.of() : List.of(2, 1);
                world.split(members, "pair").ifPresent(pair -> {
                    try (Communicator grown = pair.reconfigure(quorum)) {
                        requireSum(grown);
                    }
                    pair.close();
                });
                world.barrier();
                assertFalse(world.isAborted());
            }
        });
    }

    @Test
    void whoDoesNotComeIsNamedAsWhatItWasAndLatecomersHearOfIt() throws Exception {
        Quorum quorum = Quorum.of("late", List.of(2, 1, 0), 1).store(store);
        CyclicBarrier over = new CyclicBarrier(4);
        RankThreads.run(4, thread -> {
            if (thread == 3) {
                over.await();
                assertMentions(
                        assertThrows(InvalidArgumentException.class, () -> join(quorum, 3)),
                        "quorum late is over",
                        "rank 3 comes too late",
                        "did not form");
                return;
            }
            try (Communicator world = open(thread, 3, SHORT)) {
                world.barrier();
                if (thread == 1) {
                    over.await();
                    assertMentions(
                            assertThrows(InvalidArgumentException.class, () -> world.reconfigure(quorum)),
                            "quorum late is over");
                } else {
                    OperationTimeoutException e =
                            assertThrows(OperationTimeoutException.class, () -> world.reconfigure(quorum));
                    assertEquals(List.of(1, 3), e.missingRanks());
                    assertMentions(e, "quorum late", "rank 1 (was rank 1), rank 3 (a newcomer)");
                    over.await();
                }
                assertFalse(world.isAborted());
                world.barrier();
            }
        });
    }

    @Test
    void aQuorumThatHasFormedAdmitsNobodyElse() throws Exception {
        Quorum first = Quorum.of("first", List.of(0), 1).store(store);
        RankThreads.run(2, thread -> {
            if (thread == 0) {
                try (Communicator world = open(0, 1, LIMIT);
                        Communicator grown = world.reconfigure(first)) {
                    grown.barrier();
                }
            } else {
                try (Communicator grown = join(first, 1)) {
                    grown.barrier();
                }
            }
        });
        assertMentions(
                assertThrows(InvalidArgumentException.class, () -> join(first, 1)),
                "quorum first is over",
                "has been formed",
                "whose id is another");
    }

    @Test
    void allGoOnIfItCannotBeKeptThatTheQuorumHasFormed() throws Exception {
        Store failing = new FailingStore(store, call -> call.startsWith("set mscclj/quorum/"));
        Quorum quorum = Quorum.of("not-kept", List.of(0), 1).store(failing);
        RankThreads.run(2, rank -> {
            if (rank == 0) {
                try (Communicator world = open(0, 1, LIMIT);
                        Communicator grown = world.reconfigure(quorum)) {
                    requireSum(grown);
                }
            } else {
                try (Communicator grown = join(quorum, 1)) {
                    requireSum(grown);
                }
            }
        });
    }

    @Test
    void whoDoesNotComeIsNamedIfThatCannotBeKept() {
        AtomicInteger found = new AtomicInteger();
        Store failing =
                new FailingStore(store, call -> call.startsWith("find mscclj/quorum/") && found.getAndIncrement() > 0);
        Quorum quorum = Quorum.of("not-kept", List.of(0), 1).store(failing);
        try (Communicator world = open(0, 1, SHORT)) {
            OperationTimeoutException e =
                    assertThrows(OperationTimeoutException.class, () -> world.reconfigure(quorum));
            assertEquals(List.of(1), e.missingRanks());
            assertMentions(e, "quorum not-kept: rank 1 (a newcomer) did not come");
            assertMentions((MsccljException) e.getSuppressed()[0], "does not find");
        }
    }

    @Test
    void aShorterTimeoutNamesSoonWhoDoesNotCome() {
        Quorum quorum = Quorum.of("shorter", List.of(0), 1).store(store);
        try (Communicator world = open(0, 1, Duration.ofHours(1))) {
            assertThrows(InvalidArgumentException.class, () -> world.reconfigure(quorum, Duration.ofNanos(-1)));
            OperationTimeoutException e =
                    assertThrows(OperationTimeoutException.class, () -> world.reconfigure(quorum, SHORT));
            assertEquals(List.of(1), e.missingRanks());
            assertMentions(e, "quorum shorter: rank 1 (a newcomer) did not come", DurationText.of(SHORT));
            world.barrier();
        }
    }

    @Test
    void aLongerTimeoutWaitsLongerAndTheNextCommunicatorDoesNot() throws Exception {
        Quorum quorum = Quorum.of("longer", List.of(0), 1).store(store);
        RankThreads.run(2, thread -> {
            if (thread == 0) {
                try (Communicator world = open(0, 1, SHORT);
                        Communicator next = world.reconfigure(quorum, LIMIT)) {
                    assertEquals(SHORT, next.timeout());
                    next.barrier(LIMIT);
                }
            } else {
                Thread.sleep(SHORT.multipliedBy(2));
                try (Communicator next = join(quorum, 1)) {
                    next.barrier();
                }
            }
        });
    }

    @Test
    void differentMembersOfOneIdAreRefused() throws Exception {
        RankThreads.run(2, rank -> {
            try (Communicator world = open(rank, 2, LIMIT)) {
                Quorum quorum = Quorum.of("different", rank == 0 ? List.of(0, 1) : List.of(Quorum.NEWCOMER, 1))
                        .store(store);
                assertMentions(
                        assertThrows(InvalidArgumentException.class, () -> world.reconfigure(quorum)),
                        "of members [0, 1]",
                        "of members [-1, 1]");
                world.barrier();
            }
        });
    }

    @Test
    void badQuorumsAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> Quorum.of(" ", List.of(0)));
        assertThrows(InvalidArgumentException.class, () -> Quorum.of("none", List.of()));
        assertThrows(InvalidArgumentException.class, () -> Quorum.of("twice", List.of(1, 1)));
        assertThrows(InvalidArgumentException.class, () -> Quorum.of("negative", List.of(-2)));
        assertThrows(InvalidArgumentException.class, () -> Quorum.of("fewer", List.of(0), -1));
        Quorum homeless = Quorum.of("homeless", List.of(0), 1);
        assertMentions(
                assertThrows(InvalidArgumentException.class, () -> CommunicatorOptions.newcomer(homeless, 1)),
                "does not say where its members meet");
        assertMentions(
                assertThrows(InvalidArgumentException.class, () -> CommunicatorOptions.newcomer(homeless, 0)),
                "one of [1]");
        try (Communicator world = open(0, 1, LIMIT)) {
            Quorum unknown = Quorum.of("unknown", List.of(0, 1)).store(store);
            assertMentions(
                    assertThrows(InvalidArgumentException.class, () -> world.reconfigure(unknown)),
                    "a member of quorum unknown is 1");
            world.barrier();
        }
    }

    @Test
    void severalNodesNeedANumber() throws Exception {
        Quorum vague = Quorum.of("vague", List.of(0, 1)).store(store);
        Quorum exact = Quorum.of("exact", List.of(1, 0)).store(store).ranksPerNode(1);
        RankThreads.run(2, rank -> {
            CommunicatorOptions options = CommunicatorOptions.rank(rank, 2)
                    .ranksPerNode(1)
                    .store(store)
                    .timeout(LIMIT);
            try (Communicator world = Communicator.open(options)) {
                assertMentions(
                        assertThrows(InvalidArgumentException.class, () -> world.reconfigure(vague)), "ranksPerNode");
                try (Communicator next = world.reconfigure(exact)) {
                    assertEquals(1, next.ranksPerNode());
                    requireSum(next);
                }
            }
        });
    }

    @Test
    void aSecretOfAQuorumStaysOutOfItsStore() throws Exception {
        Quorum secret = Quorum.of("secret", List.of(0), 1).store(store).secret("of this quorum");
        Quorum other = Quorum.of("secret", List.of(0), 1).store(store);
        RankThreads.run(2, thread -> {
            if (thread == 0) {
                try (Communicator world = open(0, 1, SHORT)) {
                    assertMentions(
                            assertThrows(OperationTimeoutException.class, () -> world.reconfigure(secret)),
                            "rank 1 (a newcomer) did not come");
                }
            } else {
                assertThrows(MsccljException.class, () -> join(other, 1));
            }
        });
    }

    @Test
    void threadsOfALocalGroupAreNotReconfigured() {
        try (LocalGroup group = LocalGroup.open(1)) {
            assertMentions(
                    assertThrows(
                            UnsupportedException.class,
                            () -> group.communicator(0)
                                    .reconfigure(Quorum.of("local", List.of(0)).store(store))),
                    "threads of one process",
                    "shrink");
            assertThrows(
                    InvalidArgumentException.class,
                    () -> group.communicator(0)
                            .reconfigure(Quorum.of("local", List.of(0)).store(store), Duration.ofNanos(-1)));
            group.communicator(0).barrier();
        }
    }
}
