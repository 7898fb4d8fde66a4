package org.mscclj.conformance.rule;

import java.util.List;
import org.mscclj.conformance.scenario.TestCase;

/** Creates the cases of a rule. */
@FunctionalInterface
interface CaseSource {
    /**
     * Returns the cases.
     *
     * @param rule id of the rule, which the cases carry
     */
    List<TestCase> cases(Scope scope, String rule);
}
