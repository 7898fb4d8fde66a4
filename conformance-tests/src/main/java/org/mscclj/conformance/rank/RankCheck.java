package org.mscclj.conformance.rank;

/** What every rank does for a case of a rule. Stateless. */
@FunctionalInterface
public interface RankCheck {
    /**
     * Tries the case. What is wrong is reported to the context; exceptions that are thrown are reported by {@link RankRun}.
     */
    void check(RankContext context);
}
