package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.conformance.rule.Force;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.transport.TransportPair;
import org.mscclj.conformance.transport.TransportSuite;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.spi.transport.TransportProvider;

/** The rules of transports: each wrong transport breaks exactly the rule that it is wrong about. */
@Tag("deep")
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

    /** The transport host, with other connections. */
    private static TransportProvider connections(UnaryOperator<TransportConnection> broken) {
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
                                (connect, peer) -> broken.apply((TransportConnection) connect.call(peer)))));
    }

    private static void assertFailsOnly(String rule, TransportProvider provider) {
        assertFailsOnly(rule, provider, TIMEOUT, LocalGroup::open);
    }

    private static void assertFailsOnly(
            String rule, TransportProvider provider, Duration timeout, Function<LocalGroupOptions, LocalGroup> groups) {
        try (Backend backend = InstalledBackend.find(Optional.of("host")).open(BackendOptions.threads())) {
            BackendDevice one = backend.openDevice(0);
            BackendDevice two = backend.openDevice(1);
            TransportSuite suite =
                    new TransportSuite(() -> new TransportPair(provider, one, two, timeout), timeout, groups);
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
    void everyRuleIsBrokenByATest() {
        Set<String> broken = Arrays.stream(BrokenTransportsTest.class.getDeclaredMethods())
                .map(Method::getName)
                .filter(name -> name.contains("_shouldFailBy_"))
                .map(name -> name.substring(name.lastIndexOf('_') + 1))
                .collect(Collectors.toSet());
        for (Rule rule : TransportSuite.rules()) {
            assertTrue(
                    rule.force() == Force.UNTESTED
                            || broken.contains(rule.id().substring(0, rule.id().indexOf('_'))),
                    rule::toString);
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
        assertFailsOnly("spec1002_writesLandWhole", connections(inner -> new Relay(inner) {
            @Override
            public long write(
                    LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
                long cut = bytes < 64 ? bytes : bytes / 8 * 8;
                return super.write(source, sourceOffset, target, targetOffset, cut);
            }
        }));
    }

    @Test
    void neverReturns_shouldFailBy_spec1002() {
        assertFailsOnly(
                "spec1002_writesLandWhole",
                connections(inner -> new Relay(inner) {
                    @Override
                    public long write(
                            LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
                        while (true) {
                            LockSupport.park();
                        }
                    }
                }),
                Duration.ofMillis(100),
                LocalGroup::open);
    }

    @Test
    void signalsBeforeALargeWriteHasArrived_shouldFailBy_spec1003() {
        assertFailsOnly("spec1003_signalsComeAfterWrites", connections(inner -> new HoldingRelay(inner, 1 << 18) {
            @Override
            public long completed() {
                letGo();
                return super.completed();
            }
        }));
    }

    @Test
    void completesBeforeItHasRead_shouldFailBy_spec1004() {
        assertFailsOnly("spec1004_completedMeansRead", connections(inner -> new HoldingRelay(inner, 1 << 17) {
            @Override
            public long signal(RemoteMemory target, long targetOffset) {
                letGo();
                return super.signal(target, targetOffset);
            }
        }));
    }

    @Test
    void losesASignalUnderLoad_shouldFailBy_spec1005() {
        AtomicInteger signals = new AtomicInteger();
        assertFailsOnly("spec1005_noSignalIsLost", connections(inner -> new Relay(inner) {
            @Override
            public long signal(RemoteMemory target, long targetOffset) {
                return signals.incrementAndGet() % 3000 == 0 ? post() : super.signal(target, targetOffset);
            }
        }));
    }

    @Test
    void tellsOfNoSignal_shouldFailBy_spec1010() {
        assertFailsOnly("spec1010_listenersGetSignals", connections(inner -> new Relay(inner) {
            @Override
            public boolean tellsSignals() {
                return true;
            }
        }));
    }

    @Test
    void servesOnlyTwoConnections_shouldFailBy_spec1006() {
        AtomicInteger open = new AtomicInteger();
        assertFailsOnly("spec1006_connectionsAreIndependent", connections(inner -> new Relay(inner) {
            private final boolean served = open.incrementAndGet() <= 4; // two ends each
            private boolean closed;

            @Override
            public long signal(RemoteMemory target, long targetOffset) {
                return served ? super.signal(target, targetOffset) : post();
            }

            @Override
            public void close() {
                if (!closed) {
                    closed = true;
                    open.decrementAndGet();
                }
                super.close();
            }
        }));
    }

    @Test
    void cannotBeClosedTwice_shouldFailBy_spec1007() {
        assertFailsOnly("spec1007_closingIsIdempotent", connections(inner -> new Relay(inner) {
            private boolean closed;

            @Override
            public void close() {
                if (closed) {
                    throw new IllegalStateException("is closed already");
                }
                closed = true;
                super.close();
            }
        }));
    }

    @Test
    void endsAllWhenOneIsClosed_shouldFailBy_spec1007() {
        AtomicInteger closings = new AtomicInteger();
        assertFailsOnly("spec1007_closingIsIdempotent", connections(inner -> new Relay(inner) {
            private final int before = closings.get();

            @Override
            public long write(
                    LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
                if (closings.get() != before) {
                    throw new IllegalStateException("another connection was closed");
                }
                return super.write(source, sourceOffset, target, targetOffset, bytes);
            }

            @Override
            public void close() {
                closings.incrementAndGet();
                super.close();
            }
        }));
    }

    /** The runtime takes installed transports only; so what comes out of its plan is spoiled. */
    @Test
    void spoilsTheResultOfAPlan_shouldFailBy_spec1009() {
        assertFailsOnly(
                "spec1009_portPlansRunOverIt",
                host(),
                TIMEOUT,
                options -> ReferenceGroup.over(LocalGroup.open(options), rank -> new Defect() {
                    @Override
                    void beforeWrite(Launch launch) {
                        launch.result()[launch.result().length - 1] ^= 1;
                    }
                }));
    }
}
