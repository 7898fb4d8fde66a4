package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.bootstrap.Bootstrap;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LocalRanks;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.settings.GroupHints;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendProvider;

/** Ranks on devices that applications choose, of a backend that says it has two. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChosenDevicesTest {
    private static final int DEVICES = 2;

    /** What was opened, in this order. */
    private final Queue<Integer> opened = new ConcurrentLinkedQueue<>();

    private final BackendProvider host =
            ProviderCatalog.installed("backend", BackendProvider.class).find(Optional.of("host"));

    private final BackendProvider provider = wrapped(BackendProvider.class, (method, arguments) -> {
        Object result = invoke(method, host, arguments);
        return method.getName().equals("open") ? backend((Backend) result) : result;
    });

    /** Answers a call. */
    @FunctionalInterface
    private interface Answer {
        Object to(Method method, Object[] arguments) throws Throwable;
    }

    private Backend backend(Backend inner) {
        return wrapped(Backend.class, (method, arguments) -> {
            switch (method.getName()) {
                case "deviceCount" -> {
                    return OptionalInt.of(DEVICES);
                }
                case "openDevice" -> opened.add((int) arguments[0]);
                case "openDevices" -> ((List<?>) arguments[0]).forEach(number -> opened.add((int) number));
                default -> {}
            }
            return invoke(method, inner, arguments);
        });
    }

    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T wrapped(Class<T> type, Answer answer) {
        InvocationHandler handler = (_, method, arguments) -> answer.to(method, arguments);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private LocalGroup threads(LocalGroupOptions options) {
        return LocalRanks.open(options, ExecutorOptions.DEFAULT, provider);
    }

    private Communicator process(CommunicatorOptions options) {
        GroupHints hints = GroupHints.of(options.hints(), options.strictHints(), Map.of());
        return RankProcess.open(options, ExecutorOptions.DEFAULT, hints, provider, Bootstrap.connect(options));
    }

    @Test
    void threadsTakeTheDevicesThatAreNamed() {
        threads(LocalGroupOptions.ranks(3).devices(List.of(1, 0, 1))).close();
        assertEquals(List.of(1, 0, 1), List.copyOf(opened));
    }

    @Test
    void threadsTakeAllDevicesByTurnsOtherwise() {
        threads(LocalGroupOptions.ranks(3)).close();
        assertEquals(List.of(0, 1, 2), List.copyOf(opened), "positions, which go round the devices");
    }

    @Test
    void threadsAreToldOfADeviceThatIsNotThere() {
        LocalGroupOptions options = LocalGroupOptions.ranks(2).devices(List.of(1, 2));
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> threads(options));
        assertEquals("device of rank 1 is 2; allowed: 0 to 1, since backend host has 2", e.getMessage());
        assertEquals(List.of(), List.copyOf(opened));
    }

    @Test
    void aProcessTakesTheDeviceThatIsNamed() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(
                2,
                rank -> process(CommunicatorOptions.rank(rank, 2).uniqueId(id).device(1))
                        .close());
        assertEquals(List.of(1, 1), List.copyOf(opened));
    }

    /** Set-up fails on every rank, by what one of them got wrong. */
    @Test
    void allProcessesAreToldOfADeviceThatIsNotThere() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(2, rank -> {
            CommunicatorOptions options =
                    CommunicatorOptions.rank(rank, 2).uniqueId(id).timeout(Duration.ofSeconds(30));
            CommunicatorOptions chosen = rank == 1 ? options.device(2) : options;
            InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> process(chosen));
            assertTrue(
                    String.valueOf(e.getMessage()).contains("device of rank 1 is 2; allowed: 0 to 1"), e::getMessage);
        });
    }
}
