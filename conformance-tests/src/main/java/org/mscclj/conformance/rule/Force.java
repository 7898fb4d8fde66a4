package org.mscclj.conformance.rule;

import java.util.Locale;

/** How binding a rule is. */
public enum Force {
    /** Every implementation obeys it. */
    REQUIRED,
    /** Every backend that declares the rule's feature obeys it. */
    OPTIONAL,
    /** It is binding, but this suite cannot check it. */
    UNTESTED;

    /** Returns the first part of a test's name, for example {@code required}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
