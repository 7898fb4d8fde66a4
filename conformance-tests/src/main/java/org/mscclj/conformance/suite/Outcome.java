package org.mscclj.conformance.suite;

import java.util.Locale;

/** What became of a rule, or of one case. */
public enum Outcome {
    /** It is kept. */
    PASSED,
    /** It is broken. */
    FAILED,
    /** It is kept, but something is odd. */
    WARNED,
    /** It was not tried, or not supported; the reason says why. */
    SKIPPED,
    /** Nothing can be said about it, since a rule that it takes for granted is broken. */
    NOT_JUDGED,
    /** It is broken, and listed in the exclude file. */
    EXCLUDED,
    /** This suite does not check it. */
    UNTESTED;

    /** The lower-case words used in reports, for example {@code not judged}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
