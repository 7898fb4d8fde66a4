package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.transport.TransportPair;
import org.mscclj.conformance.transport.TransportSuite;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.spi.transport.TransportProvider;

/** The rules of transports: each wrong transport breaks the rule that it is wrong about. */
class BrokenTransportsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** What a broken method does; it may call the right one. */
    @FunctionalInterface
    private interface Broken {
        Object call(Right right, Object[] arguments) throws Throwable;
    }

    @FunctionalInterface
    private interface Right {
        Object call(Object... arguments) throws Throwable;
    }

    @SuppressWarnings("unchecked")
    private static <T> T breaking(Class<T> type, T inner, String name, Broken broken) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Right right = replaced -> {
                try {
                    return method.invoke(inner, replaced);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
            Object[] given = arguments == null ? new Object[0] : arguments;
            return method.getName().equals(name) ? broken.call(right, given) : right.call(given);
        };
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private static TransportProvider host() {
        return ServiceLoader.load(TransportProvider.class, TransportProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("host"))
                .findFirst()
                .orElseThrow();
    }

    /** The transport host, with connections whose method is broken. */
    private static TransportProvider connections(String method, Broken broken) {
        return breaking(
                TransportProvider.class,
                host(),
                "open",
                (open, device) -> breaking(
                        Transport.class,
                        (Transport) open.call(device),
                        "createEndpoint",
                        (create, address) -> breaking(
                                TransportEndpoint.class,
                                (TransportEndpoint) create.call(address),
                                "connect",
                                (connect, peer) -> breaking(
                                        TransportConnection.class,
                                        (TransportConnection) connect.call(peer),
                                        method,
                                        broken))));
    }

    private static void assertFailsOnly(String rule, TransportProvider provider) {
        try (Backend backend = InstalledBackend.find(Optional.of("host")).open(BackendOptions.threads())) {
            BackendDevice one = backend.openDevice(0);
            BackendDevice two = backend.openDevice(1);
            TransportSuite suite = new TransportSuite(() -> new TransportPair(provider, one, two, TIMEOUT), TIMEOUT);
            List<RuleResult> failed = TransportSuite.rules().stream()
                    .map(suite::check)
                    .filter(result -> result.outcome() == Outcome.FAILED)
                    .toList();
            assertEquals(
                    List.of(rule),
                    failed.stream().map(result -> result.rule().id()).toList(),
                    () -> failed.stream().map(RuleResult::text).collect(Collectors.joining("\n")));
        }
    }

    @Test
    void reachesNobody_shouldFailBy_spec1001() {
        assertFailsOnly(
                "spec1001_reachingIsMutual",
                breaking(
                        TransportProvider.class,
                        host(),
                        "open",
                        (open, device) -> breaking(
                                Transport.class, (Transport) open.call(device), "reaches", (right, address) -> false)));
    }

    @Test
    void cutsOddSizes_shouldFailBy_spec1002() {
        assertFailsOnly("spec1002_writesLandWhole", connections("write", (write, arguments) -> {
            Object[] cut = arguments.clone();
            long bytes = (long) arguments[4];
            cut[4] = bytes < 64 ? bytes : bytes / 8 * 8;
            return write.call(cut);
        }));
    }

    @Test
    void losesASignalUnderLoad_shouldFailBy_spec1005() {
        long[] signals = new long[1];
        assertFailsOnly("spec1005_noSignalIsLost", connections("signal", (signal, arguments) -> {
            signals[0]++;
            return signals[0] % 3000 == 0 ? signals[0] : signal.call(arguments);
        }));
    }
}
