package org.mscclj.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.bootstrap.RankThreads;

/** What every store promises. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);

    @TempDir
    Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Any sequence of calls, by several clients, gives what a map gives. */
    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void isAMap(StoreKind kind) {
        long seed = 5;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String[] keys = {"a", "key/with:other characters", "ключ", "x".repeat(Store.MAX_KEY), "."};
        Map<String, byte[]> expected = new HashMap<>();
        try (StoreKind.Shared shared = kind.open(folder);
                Store one = shared.view();
                Store other = shared.view()) {
            for (int i = 0; i < 500; i++) {
                Store store = random.nextBoolean() ? one : other;
                String key = keys[random.nextInt(keys.length)];
                switch (random.nextInt(5)) {
                    case 0 -> {
                        byte[] value = new byte[random.nextInt(100)];
                        random.nextBytes(value);
                        store.set(key, value);
                        expected.put(key, value);
                    }
                    case 1 -> assertEquals(expected.remove(key) != null, store.delete(key));
                    case 2 -> {
                        store.set(key, bytes("41"));
                        assertEquals(42, store.add(key, 1));
                        expected.put(key, bytes("42"));
                    }
                    default -> {
                        Optional<byte[]> found = store.find(key);
                        assertEquals(expected.containsKey(key), found.isPresent());
                        found.ifPresent(value -> assertArrayEquals(expected.get(key), value));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void whoWaitsGetsWhatIsSetLater(StoreKind kind) throws Exception {
        try (StoreKind.Shared shared = kind.open(folder);
                Store store = shared.view()) {
            RankThreads.run(3, rank -> {
                if (rank == 0) {
                    store.set("first", bytes("1"));
                    assertEquals("yes", new String(store.get("answer", LONG), StandardCharsets.UTF_8));
                } else if (rank == 1) {
                    store.await(List.of("first", "second"), LONG);
                    store.set("answer", bytes("yes"));
                } else {
                    assertEquals("1", new String(store.get("first", LONG), StandardCharsets.UTF_8));
                    store.set("second", new byte[0]);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void everySumIsGivenOnce(StoreKind kind) throws Exception {
        int clients = 4;
        int times = kind == StoreKind.FILE ? 100 : 500;
        Set<Long> sums = ConcurrentHashMap.newKeySet();
        try (StoreKind.Shared shared = kind.open(folder)) {
            RankThreads.run(clients, _ -> {
                Store store = shared.view();
                for (int i = 0; i < times; i++) {
                    assertTrue(sums.add(store.add("counter", 1)));
                }
            });
            assertEquals(clients * times, sums.size());
            try (Store store = shared.view()) {
                assertEquals(0, store.add("counter", -clients * times));
                assertEquals("0", new String(store.get("counter", SHORT), StandardCharsets.UTF_8));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void whatIsNotSetIsNamed(StoreKind kind) {
        try (StoreKind.Shared shared = kind.open(folder);
                Store store = shared.view()) {
            store.set("here", new byte[1]);
            OperationTimeoutException e =
                    assertThrows(OperationTimeoutException.class, () -> store.get("nowhere", SHORT));
            assertTrue(String.valueOf(e.getMessage()).contains("key nowhere"), e::getMessage);
            e = assertThrows(OperationTimeoutException.class, () -> store.await(List.of("here", "nowhere"), SHORT));
            assertTrue(String.valueOf(e.getMessage()).contains("key nowhere"), e::getMessage);
            assertEquals(Optional.empty(), store.find("nowhere"));
            assertFalse(store.delete("nowhere"));
        }
    }

    /** Whatever the thread is: reads of sockets end differently. */
    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void anInterruptEndsWaits(StoreKind kind) throws Exception {
        try (StoreKind.Shared shared = kind.open(folder);
                Store store = shared.view()) {
            List<Consumer<Store>> waits = List.of(
                    waiting -> waiting.get("never", Duration.ofHours(1)),
                    waiting -> waiting.await(List.of("never"), Duration.ofHours(1)));
            for (Thread.Builder threads : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
                for (Consumer<Store> wait : waits) {
                    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
                    Thread thread = threads.unstarted(() -> {
                        try {
                            assertThrows(AbortedException.class, () -> wait.accept(store));
                            interrupted.complete(Thread.currentThread().isInterrupted());
                        } catch (Throwable e) {
                            interrupted.completeExceptionally(e);
                        }
                    });
                    thread.start();
                    LockSupport.parkNanos(10_000_000); // it may wait by now, or not yet
                    thread.interrupt();
                    assertTrue(interrupted.get(30, TimeUnit.SECONDS), "it stays interrupted");
                }
            }
            store.set("key", new byte[1]);
            assertEquals(1, store.get("key", LONG).length);
        }
    }

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void badArgumentsChangeNothing(StoreKind kind) {
        try (StoreKind.Shared shared = kind.open(folder)) {
            Store store = shared.view();
            store.set("text", bytes("text"));
            store.set("most", bytes(Long.toString(Long.MAX_VALUE)));
            assertThrows(InvalidArgumentException.class, () -> store.set("", new byte[0]));
            assertThrows(InvalidArgumentException.class, () -> store.find("x".repeat(Store.MAX_KEY + 1)));
            assertThrows(InvalidArgumentException.class, () -> store.set("long", new byte[Store.MAX_VALUE + 1]));
            assertThrows(InvalidArgumentException.class, () -> store.add("text", 1));
            assertThrows(InvalidArgumentException.class, () -> store.add("most", 1));
            assertArrayEquals(bytes("text"), store.get("text", SHORT));
            assertArrayEquals(bytes(Long.toString(Long.MAX_VALUE)), store.get("most", SHORT));
            assertEquals(Optional.empty(), store.find("long"));
            store.close();
            store.close();
            assertThrows(InvalidArgumentException.class, () -> store.find("text"));
        }
    }

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void valuesAreCopied(StoreKind kind) {
        Set<Byte> seen = new HashSet<>();
        try (StoreKind.Shared shared = kind.open(folder);
                Store store = shared.view()) {
            byte[] value = {1};
            store.set("key", value);
            value[0] = 2;
            byte[] read = store.get("key", SHORT);
            seen.add(read[0]);
            read[0] = 3;
            seen.add(store.find("key").orElseThrow()[0]);
        }
        assertEquals(Set.of((byte) 1), seen);
    }
}
