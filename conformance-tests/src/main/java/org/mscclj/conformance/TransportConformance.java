package org.mscclj.conformance;

import java.time.Duration;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.report.Report;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.conformance.transport.TransportPair;
import org.mscclj.conformance.transport.TransportSuite;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.transport.TransportProvider;

/**
 * The rules of {@code docs/SPEC.md}, section 10, as tests of a transport. A vendor's test is one class:
 *
 * <pre>{@code
 * class MyTransportConformanceTest extends TransportConformance {
 *     @Override
 *     protected String transport() {
 *         return "my-transport";
 *     }
 * }
 * }</pre>
 *
 * <p>The two ranks are devices of the backend {@code host}, unless {@link #backend} names another one.
 */
@SuppressWarnings("exports") // the module of a subclass reads JUnit
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class TransportConformance {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private Optional<Backend> opened = Optional.empty();
    private Optional<TransportSuite> checking = Optional.empty();
    private Optional<Report> written = Optional.empty();

    /** For subclasses. */
    protected TransportConformance() {}

    /** Returns the transport's name, as its provider gives it. */
    protected abstract String transport();

    /** Returns the backend whose memory the transport moves. */
    protected String backend() {
        return "host";
    }

    /** Returns the transport's provider. The default is the installed provider of that name. */
    protected TransportProvider provider() {
        return ServiceLoader.load(TransportProvider.class, TransportProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(transport()))
                .findFirst()
                .orElseThrow(() -> new UnsupportedException("transport " + transport()
                        + " is not installed; put its artifact on the class path or module path"));
    }

    @BeforeAll
    final void openBackend() {
        opened = Optional.of(InstalledBackend.find(Optional.of(backend())).open(BackendOptions.threads()));
    }

    @TestFactory
    final Stream<DynamicTest> rules() {
        Backend host = opened.orElseThrow();
        Report report = new Report("transport-" + transport());
        written = Optional.of(report);
        TransportProvider provider = provider();
        TransportSuite suite = new TransportSuite(
                () -> new TransportPair(provider, host.openDevice(0), host.openDevice(1), TIMEOUT), TIMEOUT);
        checking = Optional.of(suite);
        return TransportSuite.rules().stream().map(rule -> RuleTests.of(rule, () -> suite.check(rule), report));
    }

    @AfterAll
    final void closeBackend() {
        written.ifPresent(RuleTests::write);
        if (checking.filter(TransportSuite::hasLeftThreads).isEmpty()) {
            opened.ifPresent(Backend::close);
        }
    }
}
