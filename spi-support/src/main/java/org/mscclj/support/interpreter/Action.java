package org.mscclj.support.interpreter;

/**
 * A part of an operation of a block. One thread carries out all blocks of a rank in turn, so that no action may block:
 * an action that has to wait has no effect, and is attempted again.
 */
interface Action {
    /** What an attempt has achieved. */
    enum Outcome {
        /** Nothing: the action waits for an event. */
        WAITS,
        /** A part of the action. */
        MOVED,
        /** The action has ended. */
        ENDED
    }

    /** Carries out as much as possible, up to a limit. */
    Outcome attempt();

    /** An action that ends when a condition holds. */
    static Action until(Condition condition) {
        return () -> condition.holds() ? Outcome.ENDED : Outcome.WAITS;
    }

    /** An action that never waits. */
    static Action of(Runnable effect) {
        return () -> {
            effect.run();
            return Outcome.ENDED;
        };
    }

    /** A condition of {@link #until}, which may have an effect when it holds. */
    interface Condition {
        /** Whether it holds now. */
        boolean holds();
    }
}
