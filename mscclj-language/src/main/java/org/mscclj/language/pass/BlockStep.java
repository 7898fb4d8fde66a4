package org.mscclj.language.pass;

import java.util.List;
import org.mscclj.plan.Operation;

/**
 * One step of a thread block during compilation. Unlike in a plan, ids of channels and remote buffers are those of the
 * rank, so that steps can be compared and moved without the block's lists.
 */
public sealed interface BlockStep {
    /**
     * An operation other than a pipeline.
     *
     * @param operation the operation
     * @param syncBefore whether the threads of the block synchronise before it
     * @param syncAfter whether they synchronise after it
     */
    record Run(Operation operation, boolean syncBefore, boolean syncAfter) implements BlockStep {
        /** A synchronisation of the block's threads. */
        static final Run SYNC = of(new Operation.Nop());

        /** An operation without synchronisations. */
        public static Run of(Operation operation) {
            return new Run(operation, false, false);
        }

        Run withoutSyncBefore() {
            return new Run(operation, false, syncAfter);
        }

        Run withoutSyncAfter() {
            return new Run(operation, syncBefore, false);
        }
    }

    /**
     * A pipeline.
     *
     * @param unitSize bytes of an iteration
     * @param chunks number of chunks of the pipeline
     * @param steps the steps of each iteration
     */
    record Loop(long unitSize, int chunks, List<BlockStep> steps) implements BlockStep {
        /** Copies the list. */
        public Loop {
            steps = List.copyOf(steps);
        }
    }

    /** Whether the step begins with a synchronisation of all threads. */
    default boolean beginsWithSync() {
        return switch (this) {
            case Run run -> run.syncBefore || run.isSync();
            case Loop loop -> !loop.steps.isEmpty() && loop.steps.getFirst().beginsWithSync();
        };
    }

    /** Whether the step ends with a synchronisation of all threads. */
    default boolean endsWithSync() {
        return switch (this) {
            case Run run -> run.syncAfter || run.isSync();
            case Loop loop -> !loop.steps.isEmpty() && loop.steps.getLast().endsWithSync();
        };
    }

    /** Whether the step is a synchronisation and nothing else, of this block's threads or of several blocks. */
    default boolean isSync() {
        return this instanceof Run run
                && (run.operation instanceof Operation.Nop || run.operation instanceof Operation.Barrier);
    }
}
