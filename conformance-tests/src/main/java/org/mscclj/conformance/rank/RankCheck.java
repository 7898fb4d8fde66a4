package org.mscclj.conformance.rank;

import java.util.OptionalInt;
import org.mscclj.conformance.scenario.TestCase;

/** What every rank does for a case of a rule. Stateless. */
@FunctionalInterface
public interface RankCheck {
    /** Tries the case and reports faults to the context. {@link RankRun} reports exceptions. */
    void check(RankContext context);

    /**
     * Returns the rank whose process the case ends, and which therefore gives no verdict; empty if all processes live.
     */
    default OptionalInt kills(TestCase test) {
        return OptionalInt.empty();
    }

    /** Returns whether the case can also run with replays of a graph in place of launches. */
    default boolean canReplay() {
        return false;
    }
}
