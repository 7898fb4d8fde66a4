package org.mscclj.runtime.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Stores;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.store.FailingStore;
import org.mscclj.runtime.store.StoreKind;

/** Ranks find each other through a store. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreRendezvousTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** For a rank 0 that proves itself: who waits for it fails the test. */
    private static final Duration FOREVER = Duration.ofHours(1);

    private static final String KEY = "mscclj/rendezvous/";

    @TempDir
    Path folder;

    private static CommunicatorOptions options(int rank, int size, Store store, String name) {
        return CommunicatorOptions.rank(rank, size).store(store).name(name).timeout(LIMIT);
    }

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void ranksMeetAgainAndAgain(StoreKind kind) throws Exception {
        try (StoreKind.Shared shared = kind.open(folder)) {
            RankThreads.run(3, rank -> {
                Store store = shared.view();
                for (int i = 0; i < 5; i++) {
                    try (Communicator communicator = Communicator.open(options(rank, 3, store, "again"))) {
                        communicator.barrier();
                    }
                }
            });
            try (Store store = shared.view()) {
                assertEquals(Optional.empty(), store.find(KEY + "again"), "rank 0 has removed it");
            }
        }
    }

    @Test
    void communicatorsOfSeveralNamesFormAtOnce() throws Exception {
        try (Store store = Stores.inProcess()) {
            RankThreads.run(6, thread -> {
                String name = thread < 3 ? "one" : "other";
                try (Communicator communicator = Communicator.open(options(thread % 3, 3, store, name))) {
                    communicator.barrier();
                }
            });
        }
    }

    @Test
    void whatAnEarlierJobHasLeftLeadsNobodyAstray() throws Exception {
        try (Store store = Stores.inProcess()) {
            UniqueId earlier = UniqueId.create(RendezvousAddress.parse("127.0.0.1:1"));
            store.set(KEY + "job", earlier.text().getBytes(StandardCharsets.UTF_8));
            RankThreads.run(2, rank -> {
                if (rank == 0) {
                    store.await(List.of("other is there"), LIMIT);
                } else {
                    store.set("other is there", new byte[0]);
                }
                Communicator.open(options(rank, 2, store, "job")).close();
            });
        }
    }

    @Test
    void whoeverHasTheEarlierJobsPortAndSaysNothingKeepsNobodyForLong() throws Exception {
        try (Store store = Stores.inProcess();
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            UniqueId earlier = UniqueId.create(RendezvousAddress.parse("127.0.0.1:" + silent.getLocalPort()));
            store.set(KEY + "job", earlier.text().getBytes(StandardCharsets.UTF_8));
            RankThreads.run(2, rank -> {
                if (rank == 0) {
                    silent.accept(); // the other is there
                }
                Bootstrap.connect(options(rank, 2, store, "job"), FOREVER)
                        .values()
                        .forEach(ControlSocket::close);
            });
        }
    }

    @Test
    void whoIsKeptByTheEarlierJobsPortEndsInTime() throws Exception {
        try (Store store = Stores.inProcess();
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            UniqueId earlier = UniqueId.create(RendezvousAddress.parse("127.0.0.1:" + silent.getLocalPort()));
            store.set(KEY + "job", earlier.text().getBytes(StandardCharsets.UTF_8));
            CommunicatorOptions options = options(1, 2, store, "job").timeout(Duration.ofMillis(800));
            OperationTimeoutException e =
                    assertThrows(OperationTimeoutException.class, () -> Bootstrap.connect(options, FOREVER));
            assertEquals(List.of(0), e.missingRanks());
        }
    }

    @Test
    void aSecretThatIsKnownIsNotStored() throws Exception {
        String secret = UniqueId.randomSecret();
        try (Store store = Stores.inProcess()) {
            RankThreads.run(2, rank -> {
                CommunicatorOptions options = options(rank, 2, store, "job").secret(secret);
                if (rank == 1) {
                    String stored = new String(store.get(KEY + "job", LIMIT), StandardCharsets.UTF_8);
                    assertFalse(stored.contains(secret));
                }
                Communicator.open(options).close();
            });
        }
    }

    @Test
    void anAddressIsNotNeededButUsed() throws Exception {
        try (Store store = Stores.inProcess()) {
            RankThreads.run(2, rank -> {
                CommunicatorOptions options = options(rank, 2, store, "job");
                if (rank == 0) {
                    options = options.address("127.0.0.2:20000-60000");
                } else {
                    String stored = new String(store.get(KEY + "job", LIMIT), StandardCharsets.UTF_8);
                    assertTrue(stored.contains("//127.0.0.2:"), "where rank 0 listens");
                }
                Communicator.open(options).close();
            });
        }
    }

    @Test
    void allGoOnIfTheStoreEndsWhenTheyHaveMet() throws Exception {
        try (Store store = new FailingStore(Stores.inProcess(), call -> call.startsWith("delete "))) {
            RankThreads.run(3, rank -> {
                try (Communicator communicator = Communicator.open(options(rank, 3, store, "job"))) {
                    communicator.barrier();
                }
            });
            assertTrue(store.find(KEY + "job").isPresent(), "could not be removed");
        }
    }

    @Test
    void aStoreThatFailsBeforeIsNotForgotten() {
        try (Store store = new FailingStore(Stores.inProcess(), call -> call.startsWith("delete "))) {
            CommunicatorOptions options = options(0, 2, store, "lonely").timeout(Duration.ofMillis(300));
            OperationTimeoutException e =
                    assertThrows(OperationTimeoutException.class, () -> Communicator.open(options));
            assertEquals(List.of(1), e.missingRanks());
            assertEquals(BackendException.class, e.getSuppressed()[0].getClass());
        }
    }

    @Test
    void whoDoesNotComeIsNamed() {
        try (Store store = Stores.inProcess()) {
            CommunicatorOptions options = options(1, 2, store, "lonely").timeout(Duration.ofMillis(300));
            OperationTimeoutException e =
                    assertThrows(OperationTimeoutException.class, () -> Communicator.open(options));
            assertEquals(List.of(0), e.missingRanks());
            assertTrue(
                    String.valueOf(e.getMessage())
                            .contains("key mscclj/rendezvous/lonely of the store in this process"),
                    e::getMessage);
        }
    }
}
