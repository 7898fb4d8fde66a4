package org.mscclj.conformance.transport;

import org.mscclj.conformance.suite.Outcome;

/**
 * The verdict of a check.
 *
 * @param outcome passed, failed or skipped
 * @param reason the reason; empty if passed
 */
record Verdict(Outcome outcome, String reason) {
    static final Verdict KEPT = new Verdict(Outcome.PASSED, "");

    /** Returns the verdict for what is wrong, or for an empty text. */
    static Verdict ofProblem(String problem) {
        return problem.isEmpty() ? KEPT : new Verdict(Outcome.FAILED, problem);
    }
}
