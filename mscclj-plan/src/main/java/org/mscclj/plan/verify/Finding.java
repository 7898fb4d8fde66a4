package org.mscclj.plan.verify;

/**
 * Why a plan is refuted, or not proved.
 *
 * @param kind what goes wrong
 * @param message where and why, in words, over several lines
 */
public record Finding(Kind kind, String message) {
    /** What goes wrong. */
    public enum Kind {
        /** No call can run the plan. */
        NOT_CALLABLE,
        /** An output is not what the collective says. */
        WRONG_RESULT,
        /** Blocks wait for each other, or for what nobody sends. */
        NO_PROGRESS,
        /** Two accesses to the same bytes that nothing orders. */
        RACE,
        /** Nothing is known to be wrong, and this could not be decided. */
        UNDECIDED
    }
}
