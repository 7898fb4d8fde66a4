package org.mscclj.analysis.verdict;

/**
 * The reason why a plan is refuted, or not proved.
 *
 * @param kind the fault
 * @param message the place and the reason, over several lines
 */
public record Finding(Kind kind, String message) {
    /** A kind of fault. */
    public enum Kind {
        /** No call can run the plan. */
        NOT_CALLABLE,
        /** An output differs from the definition of the collective. */
        WRONG_RESULT,
        /** Deadlock: blocks wait for each other, or for a signal that no block sends. */
        NO_PROGRESS,
        /** A data race: two unordered accesses to the same bytes. */
        RACE,
        /** No fault is known, and this point is undecided. */
        UNDECIDED
    }
}
