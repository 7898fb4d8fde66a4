package org.mscclj.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.report.Report;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.conformance.suite.Soak;
import org.mscclj.conformance.suite.SoakResult;
import org.mscclj.conformance.suite.SuiteOptions;
import org.mscclj.conformance.suite.Unexplained;
import org.mscclj.spi.Capabilities;

/**
 * The rules of {@code docs/SPEC.md} as tests of a backend. A vendor's test is one class:
 *
 * <pre>{@code
 * class MyBackendConformanceTest extends BackendConformance {
 *     @Override
 *     protected String backend() {
 *         return "my-backend";
 *     }
 * }
 * }</pre>
 *
 * <p>Each rule is a test whose name carries its force and its number, in a container for each mode. A skip is an
 * aborted test with its reason. System properties that begin with {@code mscclj.conformance.} change what is run, see
 * {@link SuiteOptions#fromSystemProperties}; {@code mscclj.conformance.report} names a folder for the report.
 * {@code mscclj.conformance.soak} is a number of minutes: random cases of all rules run for this time instead, an equal
 * part of it for each mode, and a check finds resources that were not released; see {@link Soak}.
 * {@code mscclj.conformance.together=true} checks all modes at the same time, which takes less time and more cores; the
 * tests still report mode after mode.
 */
@SuppressWarnings("exports") // the module of a subclass reads JUnit
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BackendConformance {
    private final List<ModeSuite> suites = new ArrayList<>();
    private Optional<Report> written = Optional.empty();

    /** For subclasses. */
    protected BackendConformance() {}

    /** Returns the backend's name, as its provider gives it. */
    protected abstract String backend();

    /** Returns how the suite runs. The default reads system properties. */
    protected SuiteOptions options() {
        return SuiteOptions.fromSystemProperties();
    }

    /** Returns what the backend declares. The default asks its provider. */
    protected Capabilities capabilities() {
        return InstalledBackend.onThisHost(InstalledBackend.find(Optional.of(backend())));
    }

    /** Returns what opens groups of ranks. The default is the installed runtime. */
    protected RankGroups groups() {
        return options().groups(backend());
    }

    /**
     * Runs a soak instead of the rules if {@code mscclj.conformance.soak} names a number of minutes. The soak compares
     * what the process holds, so no other tests may run in this process.
     */
    @TestFactory
    final Stream<DynamicTest> soak(TestReporter reporter) {
        List<Mode> modes = options().modes();
        return SuiteOptions.soakFromSystemProperties().stream()
                .flatMap(length -> modes.stream()
                        .map(mode -> DynamicTest.dynamicTest(
                                "soak, " + mode.label(), () -> soak(mode, length.dividedBy(modes.size()), reporter))));
    }

    private void soak(Mode mode, Duration length, TestReporter reporter) {
        SoakResult result = new Soak(mode, options(), groups(), capabilities()).run(length);
        String report = String.join("\n", result.lines());
        reporter.publishEntry("soak", report);
        Assertions.assertTrue(result.isPassed(), report);
    }

    @TestFactory
    @Timeout(3600)
    final Stream<DynamicNode> rules() {
        if (SuiteOptions.soakFromSystemProperties().isPresent()) {
            return Stream.empty();
        }
        Report report = new Report(backend());
        written = Optional.of(report);
        SuiteOptions options = options();
        options.modes().forEach(mode -> suites.add(new ModeSuite(mode, options, groups(), capabilities())));
        if (SuiteOptions.togetherFromSystemProperties()) {
            suites.forEach(ModeSuite::start);
        }
        return suites.stream()
                .map(suite -> DynamicContainer.dynamicContainer(suite.mode().label(), tests(suite, report)));
    }

    private static Stream<DynamicTest> tests(ModeSuite suite, Report report) {
        DynamicTest last = DynamicTest.dynamicTest("everythingIsJudgedUnlessARuleIsBroken", () -> {
            List<Unexplained> left = suite.unexplained();
            left.forEach(report::add);
            Assertions.assertEquals(
                    List.of(), left.stream().map(Unexplained::text).toList());
        });
        Stream<DynamicTest> rules =
                Rules.all().stream().map(rule -> RuleTests.of(rule, () -> suite.check(rule), report));
        return Stream.concat(rules, Stream.of(last));
    }

    @AfterAll
    final void writeReport() {
        try {
            suites.forEach(ModeSuite::close);
        } finally {
            written.ifPresent(RuleTests::write);
        }
    }
}
