package org.mscclj.plan.pass;

import java.util.List;
import org.mscclj.plan.Operation;

/**
 * One step of a thread block while a program is compiled. Unlike in a plan, all ids of channels and remote buffers are
 * the rank's, so that steps can be compared and moved without the block's lists.
 */
public sealed interface Step {
    /**
     * An operation, which is not a pipeline.
     *
     * @param operation what is done
     * @param meetBefore whether all threads of the block meet before it
     * @param meetAfter whether they meet after it
     */
    record Run(Operation operation, boolean meetBefore, boolean meetAfter) implements Step {
        /** All threads of the block meet. */
        static final Run MEET = of(new Operation.Nop());

        /** An operation without meetings. */
        public static Run of(Operation operation) {
            return new Run(operation, false, false);
        }

        Run withoutMeetBefore() {
            return new Run(operation, false, meetAfter);
        }

        Run withoutMeetAfter() {
            return new Run(operation, meetBefore, false);
        }
    }

    /**
     * A pipeline.
     *
     * @param unitSize bytes of an iteration
     * @param chunks how many chunks it goes through
     * @param steps what each iteration does
     */
    record Loop(long unitSize, int chunks, List<Step> steps) implements Step {
        /** Copies the list. */
        public Loop {
            steps = List.copyOf(steps);
        }
    }

    /** Whether the first thing that happens is that all threads meet. */
    default boolean beginsWithMeeting() {
        return switch (this) {
            case Run run -> run.meetBefore || run.meets();
            case Loop loop -> !loop.steps.isEmpty() && loop.steps.getFirst().beginsWithMeeting();
        };
    }

    /** Whether the last thing that happens is that all threads meet. */
    default boolean endsWithMeeting() {
        return switch (this) {
            case Run run -> run.meetAfter || run.meets();
            case Loop loop -> !loop.steps.isEmpty() && loop.steps.getLast().endsWithMeeting();
        };
    }

    /** Whether it is nothing but a meeting, of this block's threads or of several blocks. */
    default boolean meets() {
        return this instanceof Run run
                && (run.operation instanceof Operation.Nop || run.operation instanceof Operation.Barrier);
    }
}
