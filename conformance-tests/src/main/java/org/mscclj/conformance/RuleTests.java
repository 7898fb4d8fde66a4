package org.mscclj.conformance;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.mscclj.conformance.report.Report;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.suite.RuleResult;

/** Makes JUnit tests of rules, and writes the report about them. */
final class RuleTests {
    private RuleTests() {}

    /**
     * Returns a test that fails if the rule is broken. It is aborted with the reason if the rule could not be judged.
     */
    static DynamicTest of(Rule rule, Supplier<RuleResult> check, Report report) {
        return DynamicTest.dynamicTest(rule.testName(), () -> {
            RuleResult result = check.get();
            report.add(result);
            switch (result.outcome()) {
                case FAILED -> Assertions.fail(result.text());
                case SKIPPED, NOT_JUDGED, EXCLUDED, UNTESTED -> Assumptions.abort(result.text());
                case PASSED, WARNED -> {}
            }
        });
    }

    /** Writes the report to the folder that the system property names. */
    static void write(Report report) {
        String folder = System.getProperty("mscclj.conformance.report", "");
        if (!folder.isEmpty()) {
            report.write(Path.of(folder));
        }
    }
}
