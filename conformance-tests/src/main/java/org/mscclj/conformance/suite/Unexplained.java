package org.mscclj.conformance.suite;

import org.mscclj.conformance.scenario.Mode;

/**
 * Something that went wrong, or was not looked at, and that no rule has told.
 *
 * @param mode where the ranks lived
 * @param what a rule, a case that can be run again from its line, or the closing of groups
 * @param reason why, in one line
 */
public record Unexplained(Mode mode, String what, String reason) {
    /** All of it. */
    public String text() {
        return what + " (" + mode + "): " + reason;
    }
}
