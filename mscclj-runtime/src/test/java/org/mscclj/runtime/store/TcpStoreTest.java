package org.mscclj.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataOutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Stores;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.bootstrap.StoreServer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.bootstrap.RankThreads;

/** A store by TCP serves those who know its secret, until it ends. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TcpStoreTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static StoreAddress with(StoreAddress address, String secret) {
        return new StoreAddress(address.address(), secret, address.tls());
    }

    @Test
    void strangersAreRefused() {
        try (StoreServer server = Stores.serve(StoreKind.loopback("sehr geheimer Text"));
                Store store = Stores.tcp(server.address(), LONG)) {
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class,
                    () -> Stores.tcp(with(server.address(), "sehr geratener Text"), Duration.ofMillis(200)));
            assertTrue(String.valueOf(e.getMessage()).contains("another secret"), e::getMessage);
            assertEquals(1, store.add("counter", 1));
        }
        assertThrows(InvalidArgumentException.class, () -> StoreAddress.of("127.0.0.1:7", ""));
        assertTrue(
                !StoreAddress.of("127.0.0.1:7", "sehr geheimer Text").toString().contains("sehr geheimer Text"));
    }

    @Test
    void theServerChoosesAPort() {
        try (StoreServer server = Stores.serve(StoreAddress.of("127.0.0.1:0", "sehr geheimer Text"));
                Store store = Stores.tcp(server.address(), LONG)) {
            assertTrue(server.address().address().ports().first() > 0);
            assertEquals(1, store.add("counter", 1));
        }
    }

    @Test
    void whoOnlyTalksKeepsNobodyWaiting() throws Exception {
        try (StoreServer server = Stores.serve(StoreKind.loopback("sehr geheimer Text"));
                Socket stranger = new Socket(
                        "127.0.0.1", server.address().address().ports().first())) {
            new DataOutputStream(stranger.getOutputStream()).writeInt(Integer.MAX_VALUE);
            try (Store store = Stores.tcp(server.address(), LONG)) {
                assertEquals(1, store.add("counter", 1));
            }
        }
    }

    @Test
    void theEndOfTheServerWakesWhoWaits() throws Exception {
        StoreServer server = Stores.serve(StoreKind.loopback("sehr geheimer Text"));
        CountDownLatch asked = new CountDownLatch(1);
        RankThreads.run(2, rank -> {
            if (rank == 0) {
                asked.await();
                server.close();
            } else {
                try (Store store = Stores.tcp(server.address(), Duration.ofMillis(500))) {
                    store.set("key", new byte[1]);
                    asked.countDown();
                    BackendException e = assertThrows(BackendException.class, () -> store.get("never", LONG));
                    assertTrue(
                            String.valueOf(e.getMessage()).contains("look whether its process has ended"),
                            e::getMessage);
                    assertThrows(BackendException.class, () -> store.find("key"));
                }
            }
        });
    }

    @Test
    void closingWakesWhoWaits() throws Exception {
        try (StoreServer server = Stores.serve(StoreKind.loopback("sehr geheimer Text"))) {
            Store store = Stores.tcp(server.address(), LONG);
            CountDownLatch asked = new CountDownLatch(1);
            RankThreads.run(2, rank -> {
                if (rank == 0) {
                    asked.await();
                    store.close();
                } else {
                    asked.countDown();
                    assertThrows(InvalidArgumentException.class, () -> store.get("never", LONG));
                }
            });
        }
    }

    /** Else each of them would keep a socket and a thread of the server until its own timeout. */
    @Test
    void clientsThatHaveGoneWhileTheyWaitAreForgotten() throws Exception {
        try (StoreServer stores = Stores.serve(StoreKind.loopback("sehr geheimer Text"))) {
            TcpStoreServer server = assertInstanceOf(TcpStoreServer.class, stores);
            List<Store> clients = IntStream.range(0, 8)
                    .mapToObj(_ -> Stores.tcp(server.address(), LONG))
                    .toList();
            CountDownLatch asking = new CountDownLatch(clients.size());
            try (RankThreads.Running waiting = new RankThreads.Running()) {
                for (int i = 0; i < clients.size(); i++) {
                    Store client = clients.get(i);
                    waiting.start(i, _ -> {
                        client.set("there", new byte[1]);
                        asking.countDown();
                        assertThrows(InvalidArgumentException.class, () -> client.get("never", Duration.ofHours(1)));
                    });
                }
                asking.await();
                LockSupport.parkNanos(300_000_000); // until the server waits for them; else the test shows less
                assertEquals(clients.size(), server.clients());
                clients.forEach(Store::close);
                awaitClients(server, 0);
                waiting.join();
            }
        }
    }

    /** Within the limit of the test. */
    private static void awaitClients(TcpStoreServer server, int number) {
        while (server.clients() != number) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
