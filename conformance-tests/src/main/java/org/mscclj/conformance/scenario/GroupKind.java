package org.mscclj.conformance.scenario;

import java.time.Duration;

/** How a group is opened for the cases of a rule. */
public enum GroupKind {
    /** With the timeout that the suite has. */
    USUAL,
    /** Its ranks compare what they call before they launch it. */
    COMPARING,
    /** An operation is late soon. */
    IMPATIENT,
    /** Hints that mean nothing are refused. */
    STRICT;

    /**
     * Not shorter, since all else that these groups do must end within it, on a machine that stalls for seconds too.
     */
    private static final Duration SHORT = Duration.ofSeconds(5);

    /** The timeout of its communicators, where that of usual ones is given. */
    public Duration timeout(Duration usual) {
        return this == IMPATIENT && usual.compareTo(SHORT) > 0 ? SHORT : usual;
    }

    /** Whether ranks compare their calls. */
    public boolean comparesCalls() {
        return this == COMPARING;
    }

    /** Whether hints that mean nothing are refused; in other groups they are ignored, whatever the environment says. */
    public boolean refusesHints() {
        return this == STRICT;
    }
}
