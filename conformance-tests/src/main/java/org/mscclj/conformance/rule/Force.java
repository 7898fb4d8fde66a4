package org.mscclj.conformance.rule;

import java.util.Locale;

/** How binding a rule is. */
public enum Force {
    /** Every implementation keeps it. */
    REQUIRED,
    /** Whoever declares the feature that it is about keeps it. */
    OPTIONAL,
    /** It binds, but this suite cannot check it. */
    UNTESTED;

    /** The first part of a test's name, for example {@code required}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
