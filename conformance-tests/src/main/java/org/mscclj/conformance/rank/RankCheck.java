package org.mscclj.conformance.rank;

import java.util.OptionalInt;
import org.mscclj.conformance.scenario.TestCase;

/** What every rank does for a case of a rule. Stateless. */
@FunctionalInterface
public interface RankCheck {
    /**
     * Tries the case. What is wrong is reported to the context; exceptions that are thrown are reported by
     * {@link RankRun}.
     */
    void check(RankContext context);

    /** The rank whose process a case ends, so that it has nothing to say; empty if all live. */
    default OptionalInt kills(TestCase test) {
        return OptionalInt.empty();
    }

    /** Whether the case can also be tried with launches that are replays of a graph. */
    default boolean canReplay() {
        return false;
    }
}
