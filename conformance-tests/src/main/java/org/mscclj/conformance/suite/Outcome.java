package org.mscclj.conformance.suite;

import java.util.Locale;

/** The outcome of a rule, or of one case. */
public enum Outcome {
    /** The rule holds. */
    PASSED,
    /** The rule is broken. */
    FAILED,
    /** The rule holds, but something is unusual. */
    WARNED,
    /** The rule was not tried, or is not supported; the reason explains it. */
    SKIPPED,
    /** The rule cannot be judged, since a rule that it presupposes is broken. */
    NOT_JUDGED,
    /** The rule is broken, and listed in the exclude file. */
    EXCLUDED,
    /** This suite does not check the rule. */
    UNTESTED;

    /** Returns the lower-case words for reports, for example {@code not judged}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
