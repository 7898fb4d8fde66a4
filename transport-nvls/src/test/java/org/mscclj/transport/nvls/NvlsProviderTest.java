package org.mscclj.transport.nvls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryNeeds;
import org.mscclj.spi.multicast.MulticastGroup;
import org.mscclj.spi.waiting.Backoff;

/** The steps of groups, over a device that records them. */
@Timeout(60)
class NvlsProviderTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final DeviceBuffer BUFFER = (DeviceBuffer) Proxy.newProxyInstance(
            NvlsProviderTest.class.getClassLoader(), new Class<?>[] {DeviceBuffer.class}, (_, method, _) -> {
                throw new AssertionError(method + " is called");
            });

    private final FakeMulticast fake = new FakeMulticast();
    private final BackendDevice device = fake.device();

    private static NvlsProvider on(Duration limit) {
        return new NvlsProvider(Optional::empty, limit);
    }

    @Test
    void withoutTheOwnersWordNoDeviceIsAsked() {
        NvlsProvider off = new NvlsProvider(() -> Optional.of("it is off"), LONG);
        assertEquals(
                "it is off",
                assertInstanceOf(Availability.Unavailable.class, off.probe()).reason());
        assertEquals(Optional.of("it is off"), off.obstacle(device));
        assertThrows(UnsupportedException.class, () -> off.memoryNeeds(device));
        assertThrows(UnsupportedException.class, () -> off.create(device, 2, 4096, LONG));
        assertThrows(UnsupportedException.class, () -> off.open(device, new byte[4], LONG));
        assertEquals(List.of(), fake.calls());
    }

    @Test
    void aProbeAsksNoDevice() {
        assertInstanceOf(Availability.Available.class, on(LONG).probe());
        assertEquals(List.of(), fake.calls());
    }

    @Test
    void obstaclesOfTheDeviceAreReported() {
        fake.refuse("no switch");
        assertEquals(Optional.of("no switch"), on(LONG).obstacle(device));
        assertEquals(List.of("multicast", "obstacle"), fake.calls());
    }

    @Test
    void memoryNeedsTheGranularity() {
        assertEquals(new MemoryNeeds(FakeMulticast.GRANULARITY, ""), on(LONG).memoryNeeds(device));
    }

    @Test
    void twoRanksSetAGroupUp() throws Exception {
        NvlsProvider provider = on(LONG);
        AtomicReference<byte[]> described = new AtomicReference<>(new byte[0]);
        CyclicBarrier step = new CyclicBarrier(2);
        try (ExecutorService ranks = Executors.newFixedThreadPool(2)) {
            Future<Long> first = ranks.submit(rank(
                    () -> {
                        MulticastGroup group = provider.create(device, 2, 2 * FakeMulticast.GRANULARITY, LONG);
                        described.set(group.descriptor());
                        step.await();
                        return group;
                    },
                    step));
            Future<Long> second = ranks.submit(rank(
                    () -> {
                        step.await();
                        return provider.open(device, described.get(), LONG);
                    },
                    step));
            assertEquals(FakeMulticast.BASE, first.get());
            assertEquals(FakeMulticast.BASE, second.get());
        }
        assertEquals(0, fake.views());
        assertEquals(2, fake.calls().stream().filter("map"::equals).count());
        assertTrue(!fake.calls().contains("unbind"), "members may still use the memory");
    }

    private static Callable<Long> rank(Callable<MulticastGroup> opening, CyclicBarrier step) {
        return () -> {
            try (MulticastGroup group = opening.call()) {
                group.join();
                step.await();
                long address = group.bind(List.of(
                        new MulticastGroup.Binding(BUFFER, 0),
                        new MulticastGroup.Binding(BUFFER, FakeMulticast.GRANULARITY)));
                step.await();
                return address;
            }
        };
    }

    @Test
    void aGroupThatIsBoundInPartUnbinds() {
        fake.failAt("bind 4096");
        try (MulticastGroup group = on(LONG).create(device, 1, 8192, LONG)) {
            group.join();
            assertThrows(
                    BackendException.class,
                    () -> group.bind(
                            List.of(new MulticastGroup.Binding(BUFFER, 0), new MulticastGroup.Binding(BUFFER, 4096))));
        }
        assertEquals(
                List.of("multicast", "create", "addDevice", "bind 0", "bind 4096", "unbind", "close"), fake.calls());
    }

    /** A driver that does not return keeps its own thread, and no rank; when it returns, nothing is left open. */
    @ParameterizedTest
    @ValueSource(strings = {"create", "handle", "addDevice", "bind 0", "map"})
    void aStepThatBlocksEndsInTime(String call) {
        fake.blockAt(call);
        NvlsProvider provider = on(Duration.ofMillis(50));
        BackendException late = assertThrows(BackendException.class, () -> {
            try (MulticastGroup group = provider.create(device, 1, 4096, LONG)) {
                byte[] _ = group.descriptor();
                group.join();
                long _ = group.bind(List.of(new MulticastGroup.Binding(BUFFER, 0)));
            }
        });
        assertTrue(late.getMessage().contains("the driver has not returned"), late::getMessage);
        fake.unblock();
        while (fake.views() > 0 || !fake.calls().contains("close")) {
            Backoff.nap(1_000_000);
        }
    }

    /** Ranks that wait for less than the provider does get their answer before they stop waiting. */
    @ParameterizedTest
    @ValueSource(strings = {"create", "open", "addDevice"})
    void theShorterLimitCounts(String call) {
        fake.blockAt(call);
        Duration limit = Duration.ofMillis(50);
        BackendException late = assertThrows(BackendException.class, () -> {
            MulticastGroup group = call.equals("open")
                    ? on(LONG).open(device, new byte[4], limit)
                    : on(LONG).create(device, 1, 4096, limit);
            try (group) {
                group.join();
            }
        });
        assertTrue(late.getMessage().contains("has taken 50 ms"), late::getMessage);
        fake.unblock();
        while (fake.views() > 0) {
            Backoff.nap(1_000_000);
        }
    }

    @Test
    void anInterruptedStepIsGivenUp() {
        fake.blockAt("create");
        Thread.currentThread().interrupt();
        BackendException interrupted =
                assertThrows(BackendException.class, () -> on(LONG).create(device, 1, 4096, LONG));
        assertTrue(Thread.interrupted(), "the interrupt is kept");
        assertTrue(interrupted.getMessage().contains("is interrupted"), interrupted::getMessage);
        fake.unblock();
    }
}
