package org.mscclj.conformance.transport;

import org.mscclj.conformance.suite.Outcome;

/**
 * What a check says.
 *
 * @param outcome passed, failed or skipped
 * @param reason why; empty if passed
 */
record Verdict(Outcome outcome, String reason) {
    static final Verdict KEPT = new Verdict(Outcome.PASSED, "");

    /** Of what is wrong, or an empty text. */
    static Verdict ofProblem(String problem) {
        return problem.isEmpty() ? KEPT : new Verdict(Outcome.FAILED, problem);
    }
}
