package org.mscclj.conformance;

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
import org.junit.jupiter.api.Timeout;
import org.mscclj.conformance.group.InstalledGroups;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.report.Report;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.conformance.suite.Suite;
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
 * <p>Each rule is a test whose name carries its force and its number, in a container for each mode. A skip is an aborted test with its
 * reason. System properties that begin with {@code mscclj.conformance.} change what is run, see {@link
 * SuiteOptions#fromSystemProperties}; {@code mscclj.conformance.report} names a folder for the report.
 */
@SuppressWarnings("exports") // whoever extends this has JUnit
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BackendConformance {
    private final List<Suite> suites = new ArrayList<>();
    private Optional<Report> written = Optional.empty();

    /** For subclasses. */
    protected BackendConformance() {}

    /** The backend's name, as its provider gives it. */
    protected abstract String backend();

    /** How the suite runs; by system properties unless overridden. */
    protected SuiteOptions options() {
        return SuiteOptions.fromSystemProperties();
    }

    /** What the backend declares; by its provider unless overridden. */
    protected Capabilities capabilities() {
        return InstalledBackend.find(Optional.of(backend())).capabilities();
    }

    /** Opens groups; by the installed runtime unless overridden. */
    protected RankGroups groups() {
        return new InstalledGroups(Optional.of(backend()), options().timeout());
    }

    @TestFactory
    @Timeout(3600)
    final Stream<DynamicNode> rules() {
        Report report = new Report(backend());
        written = Optional.of(report);
        SuiteOptions options = options();
        return options.modes().stream()
                .map(mode -> DynamicContainer.dynamicContainer(mode.label(), tests(mode, options, report)));
    }

    private Stream<DynamicTest> tests(Mode mode, SuiteOptions options, Report report) {
        Suite suite = new Suite(mode, options, groups(), capabilities());
        suites.add(suite);
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
            suites.forEach(Suite::close);
        } finally {
            written.ifPresent(RuleTests::write);
        }
    }
}
