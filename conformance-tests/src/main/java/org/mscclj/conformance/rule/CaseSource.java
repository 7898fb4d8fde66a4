package org.mscclj.conformance.rule;

import java.util.List;
import org.mscclj.conformance.scenario.TestCase;

/** Makes the cases of a rule. */
@FunctionalInterface
interface CaseSource {
    /**
     * The cases.
     *
     * @param rule id of the rule, which the cases carry
     */
    List<TestCase> cases(Scope scope, String rule);
}
