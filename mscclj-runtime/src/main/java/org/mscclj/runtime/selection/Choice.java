package org.mscclj.runtime.selection;

import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.plan.PlanDigests;
import org.mscclj.runtime.signature.ChoiceSignature;

/** An algorithm for a call. */
public sealed interface Choice {
    /** Returns the name of the algorithm. */
    String algorithm();

    /**
     * Returns whether another choice, of a call of the same class, is the same algorithm. The class decides on all else
     * for which a shipped program is specified.
     */
    boolean isSame(Choice other);

    /** Returns the signature that ranks compare. */
    ChoiceSignature signature();

    /**
     * A plan.
     *
     * @param shipped whether the algorithm is one of the programs that ship with mscclj, and not a registered plan
     * @param blocks the number of blocks for which a shipped program was specified; 0 for a registered plan
     * @param threads the number of threads of a block for which it was specified; 0 for the engine's
     */
    record OfPlan(String algorithm, Plan plan, boolean shipped, int blocks, int threads) implements Choice {
        /** A registered plan. */
        OfPlan(String name, Plan plan) {
            this(name, plan, false, 0, 0);
        }

        @Override
        public boolean isSame(Choice other) {
            return other instanceof OfPlan same
                    && shipped == same.shipped
                    && blocks == same.blocks
                    && threads == same.threads
                    && algorithm.equals(same.algorithm);
        }

        @Override
        public ChoiceSignature signature() {
            return new ChoiceSignature(
                    shipped,
                    shipped ? algorithm : "",
                    plan.name(),
                    shipped ? PlanDigests.ofProgram(plan) : PlanDigests.of(plan));
        }
    }

    /**
     * An algorithm of the application.
     *
     * @param size the blocks and threads of each launch
     */
    record OfNative(NativeAlgorithm<?> nativeAlgorithm, LaunchSize size) implements Choice {
        @Override
        public String algorithm() {
            return nativeAlgorithm.name();
        }

        @Override
        public boolean isSame(Choice other) {
            return equals(other);
        }

        @Override
        public ChoiceSignature signature() {
            return ChoiceSignature.ofNative(nativeAlgorithm.name() + size.suffix());
        }
    }

    /** The fallback. */
    record OfFallback(String algorithm) implements Choice {
        @Override
        public boolean isSame(Choice other) {
            return equals(other);
        }

        @Override
        public ChoiceSignature signature() {
            return ChoiceSignature.ofFallback(algorithm);
        }
    }
}
