package org.mscclj.conformance.suite;

import org.mscclj.conformance.scenario.Mode;

/**
 * A problem that no rule has reported: a failure, or something that was not checked.
 *
 * @param mode where the ranks lived
 * @param what a rule, a case that can be run again from its line, or the closing of groups
 * @param reason the reason, on one line
 */
public record Unexplained(Mode mode, String what, String reason) {
    /** Returns the problem as text. */
    public String text() {
        return what + " (" + mode + "): " + reason;
    }
}
