package org.mscclj.runtime.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.bootstrap.Bootstrap;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.engine.AbortCause;

/** What the control connections carry. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MeshTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration FOREVER = Duration.ofHours(1);

    /** When a rank that closes soon has closed, if it waits for nobody. */
    private static final long MUCH_LATER_NANOS = 300_000_000;

    /** What one rank does with its mesh. */
    @FunctionalInterface
    private interface MeshTask {
        void run(int rank, Mesh mesh, Map<Integer, ControlSocket> sockets) throws Exception;
    }

    private static void run(int size, Duration timeout, MeshTask task) throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(size, rank -> {
            Map<Integer, ControlSocket> sockets = Bootstrap.connect(
                    CommunicatorOptions.rank(rank, size).uniqueId(id).timeout(LIMIT));
            try (Mesh mesh = new Mesh("test", rank, timeout, sockets)) {
                task.run(rank, mesh, sockets);
            }
        });
    }

    private static List<Integer> ranks(int size) {
        return IntStream.range(0, size).boxed().toList();
    }

    private static ControlPlane plane(MeshGroup group) {
        return group.controlPlane(Nodes.one(group.members().size()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void contributionsAreGatheredByRank() throws Exception {
        run(3, LIMIT, (rank, mesh, sockets) -> {
            ControlPlane control = plane(mesh.open("g", List.of(2, 0, 1)));
            assertEquals(List.of(2, 0, 1).indexOf(rank), control.rank());
            for (int round = 0; round < 50; round++) {
                List<Message> all =
                        control.allGather(Topic.named("round " + round), bytes(round + " of " + control.rank()));
                for (int peer = 0; peer < 3; peer++) {
                    assertArrayEquals(
                            bytes(round + " of " + peer), all.get(peer).bytes());
                }
            }
        });
    }

    @Test
    void messagesArriveInOrderByNameAndMayBeLarge() throws Exception {
        run(2, LIMIT, (rank, mesh, sockets) -> {
            ControlPlane control = plane(mesh.open("g", ranks(2)));
            int peer = 1 - rank;
            byte[] large = new byte[5_000_000];
            large[4_999_999] = (byte) rank;
            control.send(peer, Topic.named("large"), large);
            control.send(peer, Topic.named("small"), bytes("first"));
            control.send(peer, Topic.named("small"), bytes("second"));
            control.send(rank, Topic.named("self"), bytes("me"));
            assertArrayEquals(bytes("first"), control.receive(peer, Topic.named("small")));
            assertArrayEquals(bytes("second"), control.receive(peer, Topic.named("small")));
            assertEquals(peer, control.receive(peer, Topic.named("large"))[4_999_999]);
            assertArrayEquals(bytes("me"), control.receive(rank, Topic.named("self")));
        });
    }

    /** What is cut on its way is cut where it begins, too: ranks compare it. */
    @Test
    void wordsMayBeLong() throws Exception {
        Topic what = Topic.named("я".repeat(70_000));
        run(2, LIMIT, (rank, mesh, sockets) -> {
            MeshGroup group = mesh.open("g", ranks(2));
            ControlPlane control = plane(group);
            control.barrier(what);
            control.send(1 - rank, what, bytes("long"));
            assertArrayEquals(bytes("long"), control.receive(1 - rank, what));
            control.barrier(Topic.named("before the end"));
            if (rank == 0) {
                group.abort().expire(what.subject(), List.of(1));
            }
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class, () -> control.receive(1 - rank, Topic.named("never")));
            assertEquals(List.of(1), e.missingRanks());
            assertTrue(String.valueOf(e.getMessage()).contains(what.subject().substring(0, 8192)));
        });
    }

    @Test
    void missingRanksAreNamed() throws Exception {
        CyclicBarrier done = new CyclicBarrier(3);
        run(3, SHORT, (rank, mesh, sockets) -> {
            ControlPlane control = plane(mesh.open("g", ranks(3)));
            if (rank == 0) {
                OperationTimeoutException gather = assertThrows(
                        OperationTimeoutException.class, () -> control.allGather(Topic.named("gather"), new byte[1]));
                assertEquals(List.of(1, 2), gather.missingRanks(), gather::getMessage);
                OperationTimeoutException receive =
                        assertThrows(OperationTimeoutException.class, () -> control.receive(2, Topic.named("never")));
                assertEquals(List.of(2), receive.missingRanks(), receive::getMessage);
                assertTrue(String.valueOf(receive.getMessage()).contains("never: rank 0 waited"), receive::getMessage);
            }
            done.await();
        });
    }

    @Test
    void launchesAreToldWhateverARankDoes() throws Exception {
        CyclicBarrier opened = new CyclicBarrier(4);
        CyclicBarrier done = new CyclicBarrier(4);
        run(4, LIMIT, (rank, mesh, sockets) -> {
            if (rank == 3) {
                sockets.get(0).close(); // it will not answer
            }
            ControlPlane control = plane(mesh.open("g", ranks(4)));
            control.reportLaunches(_ -> LaunchReport.of(10 + rank));
            opened.await();
            if (rank == 0) {
                assertEquals(Map.of(1, 11L, 2, 12L), control.launchesOf(List.of(1, 2), LIMIT));
                Map<Integer, Long> answers;
                do { // on a busy machine the other may need longer
                    answers = control.launchesOf(List.of(1, 3), SHORT);
                } while (answers.isEmpty());
                assertEquals(Map.of(1, 11L), answers);
            }
            done.await();
        });
    }

    @Test
    void groupsDoNotDisturbEachOther() throws Exception {
        run(2, LIMIT, (rank, mesh, sockets) -> {
            ControlPlane one = plane(mesh.open("one", ranks(2)));
            if (rank == 0) {
                // rank 1 opens the other one later
                plane(mesh.open("two", ranks(2))).send(1, Topic.named("early"), bytes("bird"));
            }
            InvalidArgumentException e = assertThrows(
                    InvalidArgumentException.class,
                    () -> one.allGather(Topic.named("call of rank " + rank), new byte[0]));
            assertTrue(String.valueOf(e.getMessage()).contains("ranks [1]: call of rank 1"), e::getMessage);
            one.barrier(Topic.named("same"));
            if (rank == 1) {
                MeshGroup two = mesh.open("two", ranks(2));
                assertArrayEquals(bytes("bird"), plane(two).receive(0, Topic.named("early")));
                two.abort().set("enough");
            } else {
                ControlPlane two = plane(mesh.open("two", ranks(2)));
                assertThrows(AbortedException.class, () -> two.receive(1, Topic.named("nothing")));
            }
            one.barrier(Topic.named("still there"));
        });
    }

    @Test
    void whatOneRankCannotGoOnWithIsAFailureOnAll() throws Exception {
        CyclicBarrier all = new CyclicBarrier(2);
        run(2, LIMIT, (rank, mesh, sockets) -> {
            MeshGroup group = mesh.open("g", ranks(2));
            ControlPlane control = plane(group);
            if (rank == 0) {
                group.abort().fail("its device has failed");
            }
            assertThrows(AbortedException.class, () -> control.receive(1 - rank, Topic.named("never")));
            assertEquals(Optional.of(AbortCause.FAILED), group.abort().cause());
            assertEquals(Optional.of("its device has failed"), group.abort().reason());
            all.await(); // who leaves earlier is lost
        });
    }

    @Test
    void aLossIsPassedOnToRanksThatAreStillConnected() throws Exception {
        CyclicBarrier all = new CyclicBarrier(3);
        run(3, LIMIT, (rank, mesh, sockets) -> {
            MeshGroup group = mesh.open("g", ranks(3));
            ControlPlane control = plane(group);
            control.barrier(Topic.named("start"));
            all.await(); // otherwise the connection may be cut with a contribution still in a queue
            if (rank == 0) { // only this one loses sight of rank 2
                sockets.getOrDefault(2, null).close();
            }
            RankLostException e =
                    assertThrows(RankLostException.class, () -> control.receive((rank + 1) % 3, Topic.named("never")));
            all.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS); // who leaves earlier is lost too
            if (rank == 1) { // 0 and 2 blame each other; which word comes first is open
                assertTrue(e.rank() != 1, e::getMessage);
            } else { // also if it comes by way of 1
                assertEquals(2 - rank, e.rank(), e::getMessage);
            }
        });
    }

    @Test
    void aRankThatOthersHaveLostHearsWhoHasLostIt() throws Exception {
        CyclicBarrier all = new CyclicBarrier(3);
        run(3, LIMIT, (rank, mesh, sockets) -> {
            if (rank == 2) { // has not opened the communicator, so it tells 0 nothing itself
                all.await();
                all.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
                return;
            }
            MeshGroup group = mesh.open("g", ranks(3));
            ControlPlane control = plane(group);
            all.await();
            if (rank == 1) { // as if 1 had heard from 2
                group.received(2, new MeshFrame.Loss("g", 2, 0, 2, "it was silent"));
            }
            RankLostException e =
                    assertThrows(RankLostException.class, () -> control.receive(1 - rank, Topic.named("never")));
            all.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (rank == 0) {
                assertEquals(2, e.rank(), e::getMessage);
                assertTrue(
                        String.valueOf(e.getMessage())
                                .contains("rank 1 says that it has lost this rank: it was silent"),
                        e::getMessage);
            }
        });
    }

    @Test
    void aReaderThatFailsEndsTheConnectionOnBothSides() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(2, rank -> {
            Map<Integer, ControlSocket> sockets = Bootstrap.connect(
                    CommunicatorOptions.rank(rank, 2).uniqueId(id).timeout(LIMIT));
            CompletableFuture<String> lost = new CompletableFuture<>();
            MeshConnection connection = new MeshConnection(
                    sockets.values().iterator().next(),
                    _ -> {
                        throw new InternalError("no thread can be started");
                    },
                    lost::complete);
            connection.start("test");
            if (rank == 0) {
                connection.send(MeshFrame.encode(new MeshFrame.Departure("g", 0, 0)));
            }
            String how = lost.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (rank == 1) {
                assertTrue(how.contains("no thread can be started"), how);
            }
            connection.end(Deadline.after(LIMIT));
        });
    }

    @Test
    void whoFailsDoesNotWaitForASilentPeer() throws Exception {
        UniqueId id = UniqueId.create();
        CountDownLatch closed = new CountDownLatch(1);
        RankThreads.run(2, rank -> {
            Map<Integer, ControlSocket> sockets = Bootstrap.connect(
                    CommunicatorOptions.rank(rank, 2).uniqueId(id).timeout(LIMIT));
            if (rank == 1) {
                closed.await(); // reads nothing
                sockets.values().forEach(ControlSocket::close);
                return;
            }
            Mesh mesh = new Mesh("test", rank, FOREVER, sockets, FOREVER, SHORT);
            mesh.closeSoon(); // else it would wait as for a peer that is only slow
            closed.countDown();
        });
    }

    /** More is to be sent than sockets hold, so that nothing is sent before the peer reads. */
    @Test
    void whoFailsIsHeardByAPeerThatReadsLate() throws Exception {
        UniqueId id = UniqueId.create();
        CountDownLatch closing = new CountDownLatch(1);
        RankThreads.run(2, rank -> {
            Map<Integer, ControlSocket> sockets = Bootstrap.connect(
                    CommunicatorOptions.rank(rank, 2).uniqueId(id).timeout(LIMIT));
            if (rank == 1) {
                closing.await();
                LockSupport.parkNanos(MUCH_LATER_NANOS);
            }
            Mesh mesh = new Mesh("test", rank, LIMIT, sockets, FOREVER, Duration.ofMillis(10));
            MeshGroup group = mesh.open("g", ranks(2));
            if (rank == 0) {
                plane(group).send(1, Topic.named("much"), new byte[32 << 20]);
                group.abort().set("on purpose");
                closing.countDown();
                mesh.closeSoon();
                return;
            }
            AbortedException e =
                    assertThrows(AbortedException.class, () -> plane(group).receive(0, Topic.named("never")));
            assertTrue(String.valueOf(e.getMessage()).contains("on purpose"), e::getMessage);
            mesh.close();
        });
    }

    @Test
    void membersThatHaveClosedMayGo() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        run(2, LIMIT, (rank, mesh, sockets) -> {
            MeshGroup closed = mesh.open("closed", ranks(2));
            plane(closed).barrier(Topic.named("start"));
            closed.depart();
            assertTrue(closed.awaitDepartures(LIMIT));
            both.await(); // otherwise the connection may be cut with the departure still in a queue
            if (rank == 1) {
                sockets.getOrDefault(0, null).close();
                both.await();
            } else {
                both.await();
                MeshGroup later = mesh.open("later", ranks(2));
                assertEquals(
                        1,
                        assertThrows(RankLostException.class, () -> plane(later).barrier(Topic.named("never")))
                                .rank());
            }
            assertFalse(closed.abort().isSet());
        });
    }
}
