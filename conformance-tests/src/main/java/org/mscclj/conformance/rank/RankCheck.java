package org.mscclj.conformance.rank;

/** What every rank does for a case of a rule. Stateless. */
@FunctionalInterface
public interface RankCheck {
    /**
     * Tries the case. What is wrong is reported to the context; exceptions that are thrown are reported by {@link RankRun}.
     */
    void check(RankContext context);

    /** Whether the case can also be tried with launches that are replays of a graph. */
    default boolean canReplay() {
        return false;
    }
}
