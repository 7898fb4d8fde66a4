package org.mscclj.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.Suite;
import org.mscclj.conformance.suite.SuiteOptions;

/** Rules about set-up and faults hold while the virtual threads of an application keep all carriers busy. */
@Isolated
@Timeout(600)
class BusyCarriersConformanceTest {
    private static List<Rule> aboutFaults(List<Rule> rules) {
        return rules.stream().filter(rule -> rule.id().startsWith("spec07")).toList();
    }

    private static void check(Mode mode, List<Rule> rules) {
        SuiteOptions options = SuiteOptions.sample()
                .modes(List.of(mode))
                .depth(Depth.QUICK)
                .worlds(List.of(3))
                .busyCarriers(true);
        List<String> failed = new ArrayList<>();
        List<String> passed = new ArrayList<>();
        try (Suite suite = new Suite(
                mode,
                options,
                options.groups("host"),
                InstalledBackend.find(Optional.of("host")).capabilities())) {
            suite.run(rules, result -> {
                if (result.outcome() == Outcome.FAILED) {
                    failed.add(result.text());
                } else if (result.outcome() == Outcome.PASSED) {
                    passed.add(result.rule().testName());
                }
            });
            suite.unexplained().forEach(left -> failed.add(left.text()));
        }
        assertEquals(List.of(), failed);
        assertTrue(passed.size() >= rules.size() / 2, () -> "kept: " + passed);
    }

    @Test
    void ranksThatAreThreads() {
        check(Mode.THREADS, aboutFaults(Rules.withoutWaits()));
    }

    @Tag("deep")
    @Test
    void ranksThatAreProcesses() {
        check(Mode.PROCESSES, aboutFaults(Rules.ofSmoke()));
    }
}
