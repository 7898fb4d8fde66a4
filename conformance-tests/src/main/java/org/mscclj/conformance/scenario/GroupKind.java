package org.mscclj.conformance.scenario;

import java.time.Duration;

/** How a group is opened for the cases of a rule. */
public enum GroupKind {
    /** The timeout is that of the suite. */
    USUAL,
    /** The ranks compare their calls before they launch them. */
    COMPARING,
    /** The timeout is short. */
    IMPATIENT,
    /** Hints without a meaning are refused. */
    STRICT;

    /**
     * The short timeout. All other calls of these groups must end within it, also on a machine that stalls for seconds,
     * so it cannot be shorter.
     */
    private static final Duration SHORT = Duration.ofSeconds(5);

    /** Returns the timeout of the group's communicators, for a given timeout of the usual kind. */
    public Duration timeout(Duration usual) {
        return this == IMPATIENT && usual.compareTo(SHORT) > 0 ? SHORT : usual;
    }

    /** Returns whether the ranks compare their calls. */
    public boolean comparesCalls() {
        return this == COMPARING;
    }

    /** Returns whether hints without a meaning are refused. Other groups ignore them, regardless of the environment. */
    public boolean refusesHints() {
        return this == STRICT;
    }
}
