package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Suite;
import org.mscclj.conformance.suite.SuiteOptions;
import org.mscclj.spi.Capabilities;

/** A quick run of the suite over an implementation, and what is demanded of its results. */
final class Trial {
    private static final Consumer<RuleResult> SILENT = result -> {};

    private Trial() {}

    /**
     * Returns the rules on which a defect is tried: those of the chapter of SPEC.md that its rule is in, or all of them
     * if the property {@code mscclj.conformance.defects} is {@code all}.
     *
     * @param rules the rules on which a right implementation is tried
     * @param broken the rule that the defect is wrong about
     */
    static List<Rule> forDefect(List<Rule> rules, String broken) {
        boolean all = "all".equals(System.getProperty("mscclj.conformance.defects"));
        String chapter = broken.substring(0, "spec00".length());
        return rules.stream()
                .filter(rule -> all || rule.id().startsWith(chapter))
                .toList();
    }

    static List<RuleResult> run(
            Mode mode, RankGroups groups, Capabilities capabilities, Duration timeout, List<Rule> rules) {
        SuiteOptions options =
                SuiteOptions.sample().modes(List.of(mode)).depth(Depth.QUICK).timeout(timeout);
        try (Suite suite = new Suite(mode, options, groups, capabilities)) {
            return suite.run(rules, SILENT);
        }
    }

    /** The same over threads of the host backend whose calls are intercepted. */
    static List<RuleResult> run(
            Supplier<Interception> interceptions, Capabilities capabilities, Duration timeout, List<String> rules) {
        return run(
                Mode.THREADS,
                InterceptedRanks.with(interceptions, timeout),
                capabilities,
                timeout,
                rules.stream().map(Rules::find).toList());
    }

    /** Requires that one rule is broken, and that whatever was not judged has a reason. */
    static void assertFailsOnly(String rule, List<RuleResult> results) {
        List<RuleResult> failed = results.stream()
                .filter(result -> result.outcome() == Outcome.FAILED)
                .toList();
        assertEquals(
                List.of(rule),
                failed.stream().map(result -> result.rule().id()).toList(),
                () -> results.stream()
                        .filter(result -> result.outcome() != Outcome.PASSED)
                        .sorted(Comparator.comparing(result -> result.outcome() != Outcome.FAILED))
                        .map(RuleResult::text)
                        .collect(Collectors.joining("\n")));
        // What could not be judged has a rule that was broken first, or cases that another rule judges.
        for (RuleResult result : results) {
            if (result.outcome() == Outcome.NOT_JUDGED) {
                assertTrue(
                        result.cases() > 0 || result.reason().startsWith("not judged, since rule spec"), result::text);
            }
        }
    }
}
