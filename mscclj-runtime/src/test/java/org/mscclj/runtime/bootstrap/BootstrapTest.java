package org.mscclj.runtime.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.socket.Acceptor;
import org.mscclj.runtime.socket.Connector;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.socket.Credentials;
import org.mscclj.runtime.socket.Handshake;
import org.mscclj.runtime.socket.Purpose;
import org.mscclj.runtime.socket.SharedSecret;
import org.mscclj.runtime.socket.SocketSecurity;
import org.mscclj.runtime.time.Deadline;

/** Ranks find each other, whoever else comes, and say who did not. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BootstrapTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(700);
    private static final Duration PROOF = Duration.ofSeconds(10);

    private static CommunicatorOptions options(int rank, int size, UniqueId id) {
        return CommunicatorOptions.rank(rank, size).uniqueId(id).timeout(LIMIT);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static RendezvousAddress loopback(int first, int last) {
        return RendezvousAddress.of("127.0.0.1", new PortRange(first, last));
    }

    /** Every rank sends its rank to all others, reads theirs, and closes. */
    private static void greet(int rank, int size, Map<Integer, ControlSocket> sockets) throws IOException {
        Set<Integer> others =
                IntStream.range(0, size).filter(peer -> peer != rank).boxed().collect(Collectors.toSet());
        assertEquals(others, sockets.keySet());
        for (ControlSocket socket : sockets.values()) {
            socket.write(new byte[] {(byte) rank});
            socket.flush();
        }
        for (Map.Entry<Integer, ControlSocket> entry : sockets.entrySet()) {
            assertEquals(entry.getKey().byteValue(), entry.getValue().read()[0]);
        }
    }

    private static void meet(CommunicatorOptions options) throws IOException {
        greet(options.rank(), options.size(), Bootstrap.connect(options, PROOF));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void everyRankIsConnectedToEveryOther(int size) throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(size, rank -> meet(options(rank, size, id)));
    }

    @Test
    void ranksMayComeBeforeRankZero() throws Exception {
        UniqueId id = UniqueId.create(loopback(freePort(), 65_535));
        UniqueId single = new UniqueId(
                loopback(id.address().ports().first(), id.address().ports().first()), id.secret());
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(1, rank -> meet(options(rank, 3, single)));
            running.start(2, rank -> meet(options(rank, 3, single)));
            LockSupport.parkNanos(200_000_000);
            running.start(0, rank -> meet(options(rank, 3, single)));
            running.join();
        }
    }

    @Test
    void aPortThatIsTakenIsPassedOver() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            int port = Math.min(taken.getLocalPort(), 65_530);
            UniqueId id = UniqueId.create(loopback(port, port + 5));
            // whoever has the first port accepts connections, and says nothing
            RankThreads.run(2, rank -> greet(rank, 2, Bootstrap.connect(options(rank, 2, id), Duration.ofSeconds(1))));
            UniqueId alone = UniqueId.create(loopback(taken.getLocalPort(), taken.getLocalPort()));
            UnsupportedException e = assertThrows(UnsupportedException.class, () -> meet(options(0, 2, alone)));
            assertTrue(String.valueOf(e.getMessage()).contains("port " + taken.getLocalPort()), e::getMessage);
        }
    }

    @Test
    void strangersAtTheRendezvousAreRefused() throws Exception {
        UniqueId id = UniqueId.create(loopback(freePort(), 65_535));
        int port = id.address().ports().first();
        UniqueId single = new UniqueId(loopback(port, port), id.secret());
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(0, rank -> meet(options(rank, 3, single)));
            awaitListener(port);
            try (Strangers strangers = Strangers.at(port, 1, 0, 3)) {
                running.start(1, rank -> meet(options(rank, 3, single)));
                running.start(2, rank -> meet(options(rank, 3, single)));
                running.join();
                strangers.requireRefused();
            }
        }
    }

    @Test
    void strangersAtAControlPortAreRefused() throws Exception {
        UniqueId id = UniqueId.create();
        int port = freePort();
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(0, rank -> meet(options(rank, 3, id)));
            running.start(1, rank -> meet(options(rank, 3, id).controlPorts(new PortRange(port, port))));
            awaitListener(InetAddress.getByName(id.address().host()), port);
            try (Strangers strangers =
                    Strangers.at(InetAddress.getByName(id.address().host()), port, 2, 1, 3)) {
                running.start(2, rank -> meet(options(rank, 3, id)));
                running.join();
                strangers.requireRefused();
            }
        }
    }

    @Test
    void strangersAreRefusedWhenTheirTimeIsOver() throws Exception {
        UniqueId id = UniqueId.create();
        InetAddress host = InetAddress.getByName(id.address().host());
        int port = id.address().ports().first();
        try (RankThreads.Running running = new RankThreads.Running()) {
            CountDownLatch refused = new CountDownLatch(1);
            running.start(0, rank -> greet(0, 2, Bootstrap.connect(options(0, 2, id), Duration.ofMillis(300))));
            try (Strangers strangers = Strangers.at(host, port, 1, 0, 2)) {
                strangers.requireRefused(); // the silent one too, although the group has not formed
                refused.countDown();
            }
            running.start(1, rank -> meet(options(1, 2, id)));
            running.join();
            assertEquals(0, refused.getCount());
        }
    }

    private static void awaitListener(int port) {
        awaitListener(InetAddress.getLoopbackAddress(), port);
    }

    private static void awaitListener(InetAddress host, int port) {
        while (true) {
            try (Socket socket = new Socket(host, port)) {
                assertTrue(socket.isConnected());
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(5_000_000); // not yet; the test's time-out ends this
            }
        }
    }

    @Test
    void aRankWithAnotherSecretIsRefusedAndTheGroupStillForms() throws Exception {
        UniqueId id = UniqueId.create();
        UniqueId wrong = UniqueId.create(id.address());
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(0, rank -> meet(options(rank, 2, id)));
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class,
                    () -> Bootstrap.connect(options(1, 2, wrong).timeout(SHORT), PROOF));
            assertTrue(String.valueOf(e.getMessage()).contains("another secret"), e::getMessage);
            assertEquals(List.of(0), e.missingRanks());
            running.start(1, rank -> meet(options(rank, 2, id)));
            running.join();
        }
    }

    /** The secret is equal, and so is the port: only the job's name tells their ranks apart. */
    @Test
    void ranksOfTwoJobsWithTheSamePortsDoNotMix() throws Exception {
        UniqueId id = UniqueId.create(loopback(freePort(), 65_535));
        int port = id.address().ports().first();
        RendezvousAddress ports = loopback(port, Math.min(port + 15, 65_535));
        try (RankThreads.Running running = new RankThreads.Running()) {
            for (int rank : List.of(1, 0, 2)) {
                for (String job : List.of("one", "two")) {
                    running.start(rank, own -> {
                        CommunicatorOptions options = CommunicatorOptions.rank(own, 3)
                                .address(ports)
                                .secret(id.secret())
                                .job(job)
                                .timeout(LIMIT);
                        Map<Integer, ControlSocket> sockets = Bootstrap.connect(options, PROOF);
                        for (ControlSocket socket : sockets.values()) {
                            socket.write(job.getBytes(StandardCharsets.UTF_8));
                            socket.flush();
                        }
                        for (ControlSocket socket : sockets.values()) {
                            assertEquals(job, new String(socket.read(), StandardCharsets.UTF_8));
                        }
                    });
                }
            }
            running.join();
        }
    }

    @Test
    void aRankOfAnotherJobIsTold() throws Exception {
        UniqueId id = UniqueId.create();
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(0, rank -> meet(options(rank, 2, id).job("one")));
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class,
                    () -> Bootstrap.connect(options(1, 2, id).job("two").timeout(SHORT), PROOF));
            assertTrue(String.valueOf(e.getMessage()).contains("another job"), e::getMessage);
            running.start(1, rank -> meet(options(rank, 2, id).job("one")));
            running.join();
        }
    }

    @Test
    void ranksThatDoNotComeAreNamedOnAll() throws Exception {
        UniqueId id = UniqueId.create();
        try (RankThreads.Running running = new RankThreads.Running()) {
            for (int rank : List.of(0, 1, 4)) {
                running.start(rank, own -> {
                    OperationTimeoutException e = assertThrows(
                            OperationTimeoutException.class,
                            () -> Bootstrap.connect(options(own, 5, id).timeout(own == 4 ? SHORT : LIMIT), PROOF));
                    assertEquals(List.of(2, 3), e.missingRanks(), e::getMessage);
                    assertTrue(
                            String.valueOf(e.getMessage())
                                    .contains("waited until the timeout of rank 4 was over for ranks [2, 3]"),
                            e::getMessage);
                });
            }
            running.join();
        }
    }

    /** Comes to the rendezvous as a rank does. */
    private static ControlSocket come(int rank, int size, UniqueId id) throws IOException {
        Credentials credentials = new Credentials(
                new Handshake(SharedSecret.of(id.secret()), rank, size), SocketSecurity.of(Optional.empty()), PROOF);
        ControlSocket zero = new Connector(credentials, Optional.empty())
                .connect(Purpose.RENDEZVOUS, 0, () -> HostAddresses.candidates(id.address()), Deadline.after(LIMIT));
        zero.write(Registration.encode(new Registration.Came(freePort(), LIMIT)));
        zero.flush();
        return zero;
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "1, true", "3, true"})
    void aRankThatIsLostBetweenItsRegistrationAndTheMeshIsNamedAtOnce(int victim, boolean beforeAllHaveCome)
            throws Exception {
        UniqueId id = UniqueId.create();
        long start = System.nanoTime();
        RankThreads.RankTask losesIt = rank -> {
            RankLostException e =
                    assertThrows(RankLostException.class, () -> Bootstrap.connect(options(rank, 4, id), PROOF));
            assertEquals(victim, e.rank(), e::getMessage);
        };
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(0, losesIt);
            try (ControlSocket lost = come(victim, 4, id)) {
                if (beforeAllHaveCome) {
                    lost.close();
                }
                IntStream.range(1, 4).filter(rank -> rank != victim).forEach(rank -> running.start(rank, losesIt));
                if (!beforeAllHaveCome) {
                    assertInstanceOf(Registration.Everybody.class, Registration.decode(lost.read()));
                }
            }
            running.join();
        }
        assertTrue(System.nanoTime() - start < LIMIT.toNanos() / 2, "noticed at the time-out only");
    }

    @Test
    void theLossOfRankZeroBeforeTheMeshIsNoticedAtOnce() throws Exception {
        UniqueId id = UniqueId.create();
        InetAddress host = InetAddress.getByName(id.address().host());
        Credentials credentials = new Credentials(
                new Handshake(SharedSecret.of(id.secret()), 0, 3), SocketSecurity.of(Optional.empty()), PROOF);
        List<ControlSocket> guests = new CopyOnWriteArrayList<>();
        CountDownLatch come = new CountDownLatch(2);
        try (RankThreads.Running running = new RankThreads.Running();
                Acceptor _ = new Acceptor(
                        ReservedListeners.take(id.address()).orElseThrow(),
                        credentials,
                        Purpose.RENDEZVOUS,
                        (rank, socket) -> {
                            guests.add(socket);
                            come.countDown();
                        })) {
            for (int rank : List.of(1, 2)) {
                running.start(rank, own -> {
                    RankLostException e =
                            assertThrows(RankLostException.class, () -> Bootstrap.connect(options(own, 3, id), PROOF));
                    assertEquals(0, e.rank(), e::getMessage);
                });
            }
            come.await();
            for (ControlSocket guest : guests) { // tells them of a rank 1 that nobody reaches, and is gone
                guest.write(Registration.encode(new Registration.Everybody(List.of(
                        new Registration.Place(host, 1),
                        new Registration.Place(host, 1),
                        new Registration.Place(host, 1)))));
                guest.flush();
                LockSupport.parkNanos(50_000_000);
                guest.close();
            }
            running.join();
        }
    }

    @Test
    void aRankThatCannotBeReachedIsNamedOnAll() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.RankTask missesIt = rank -> {
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class,
                    () -> Bootstrap.connect(options(rank, 3, id).timeout(rank == 2 ? SHORT : LIMIT), PROOF));
            assertEquals(List.of(1), e.missingRanks(), e::getMessage);
        };
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(0, missesIt);
            try (ControlSocket unreachable = come(1, 3, id)) { // it does not listen where it says
                running.start(2, missesIt);
                assertInstanceOf(Registration.Everybody.class, Registration.decode(unreachable.read()));
                Registration.Failed told =
                        assertInstanceOf(Registration.Failed.class, Registration.decode(unreachable.read()));
                assertEquals(List.of(1), told.ranks());
            }
            running.join();
        }
    }

    @Test
    void aMissingRankZeroIsNamed() throws Exception {
        int port = freePort();
        UniqueId id = UniqueId.create(loopback(port, port));
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class,
                () -> Bootstrap.connect(options(1, 2, id).timeout(SHORT), PROOF));
        assertEquals(List.of(0), e.missingRanks(), e::getMessage);
    }

    @Test
    void twoProcessesWithOneRankAreTold() throws Exception {
        UniqueId id = UniqueId.create();
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(0, rank -> meet(options(rank, 3, id)));
            CountDownLatch told = new CountDownLatch(1);
            for (int twin = 0; twin < 2; twin++) {
                running.start(1, rank -> {
                    try {
                        meet(options(rank, 3, id));
                    } catch (InvalidArgumentException e) {
                        assertTrue(String.valueOf(e.getMessage()).contains("rank 1 of 3"), e::getMessage);
                        told.countDown();
                    }
                });
            }
            told.await(); // only one of them
            running.start(2, rank -> meet(options(rank, 3, id)));
            running.join();
        }
    }

    @Test
    void ranksOfOneHostAgreeThroughAFile() throws Exception {
        String job = "test-" + UUID.randomUUID();
        for (int time = 0; time < 3; time++) {
            RankThreads.run(
                    3, rank -> meet(CommunicatorOptions.rank(rank, 3).job(job).timeout(LIMIT)));
            assertTrue(JobFiles.of(job, System.getenv()).read().isEmpty());
        }
    }

    @Test
    void aFileOfADeadJobIsReplaced() throws Exception {
        String job = "test-" + UUID.randomUUID();
        try (RankThreads.Running running = new RankThreads.Running();
                JobFiles stale = JobFiles.of(job, System.getenv())) {
            int port = freePort();
            stale.write(UniqueId.create(loopback(port, port)));
            running.start(
                    1, rank -> meet(CommunicatorOptions.rank(rank, 2).job(job).timeout(LIMIT)));
            LockSupport.parkNanos(100_000_000);
            running.start(
                    0, rank -> meet(CommunicatorOptions.rank(rank, 2).job(job).timeout(LIMIT)));
            running.join();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 10.0.0.1:5000, MSCCLJ_SECRET", "1, , MSCCLJ_MASTER_ADDR", "2, , MSCCLJ_JOB"})
    void whatIsMissingIsNamed(int ranksPerNode, String address, String named) {
        CommunicatorOptions options = CommunicatorOptions.rank(1, 2).ranksPerNode(ranksPerNode);
        CommunicatorOptions addressed = address == null ? options : options.address(address);
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> Bootstrap.connect(addressed.timeout(SHORT), PROOF));
        assertTrue(String.valueOf(e.getMessage()).contains(named), e::getMessage);
    }

    @Test
    void theInterfaceOfAnAddressIsUsed() throws Exception {
        String loopback = NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"))
                .getName();
        String address = loopback + ":127.0.0.1:" + freePort();
        String secret = UniqueId.randomSecret();
        RankThreads.run(
                3,
                rank -> meet(CommunicatorOptions.rank(rank, 3)
                        .address(address)
                        .secret(secret)
                        .timeout(LIMIT)));
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> meet(CommunicatorOptions.rank(0, 3).secret(secret).address("none:127.0.0.1:" + freePort())));
        assertTrue(String.valueOf(e.getMessage()).contains("interface is none"), e::getMessage);
        assertTrue(String.valueOf(e.getMessage()).contains(loopback), e::getMessage);
    }

    @Test
    void aGroupMayBeInsecureIfToldSo() throws Exception {
        int port = freePort();
        RankThreads.run(
                2,
                rank -> meet(CommunicatorOptions.rank(rank, 2)
                        .ranksPerNode(1)
                        .address(loopback(port, port))
                        .insecure(true)
                        .timeout(LIMIT)));
        assertFalse(CommunicatorOptions.rank(0, 2).rendezvous().insecure());
    }
}
