package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.conformance.scenario.GroupKind;

/**
 * How a reference communicator was opened.
 *
 * @param comparesCalls whether ranks compare what they launch
 * @param refusesHints whether hints that mean nothing are refused
 * @param late when a launch is late and ends the communicator; empty for never
 */
record Terms(boolean comparesCalls, boolean refusesHints, Optional<Duration> late) {
    private static final Duration SOON = Duration.ofMillis(600);

    /** Those of a kind of group. */
    static Terms of(GroupKind kind) {
        return new Terms(
                kind.comparesCalls(),
                kind.refusesHints(),
                kind == GroupKind.IMPATIENT ? Optional.of(SOON) : Optional.empty());
    }
}
