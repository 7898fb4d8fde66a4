package org.mscclj.cli.check;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * Which ranks' data a rank may have got, as far as it is known before the outputs are looked at: a plan does not name
 * its root, nor who sends to whom.
 */
public sealed interface Sources {
    /** The ranks that may be the root of a rooted collective. */
    int[] roots();

    /** The ranks whose input a rank's output may be, in a sendrecv. */
    int[] sendersTo(int rank);

    /**
     * Whether ranks may get different bits for the same element of an allreduce, because they reduce in different
     * orders.
     */
    boolean bitsMayDiffer();

    /** As far as a plan tells. */
    static Sources of(Plan plan) {
        return new OfPlan(plan, new PlanBits(plan));
    }

    /** A root that the caller chose. */
    static Sources root(int root) {
        return new Root(root);
    }

    /**
     * A known root.
     *
     * @param root the rank
     */
    record Root(int root) implements Sources {
        @Override
        public int[] roots() {
            return new int[] {root};
        }

        @Override
        public int[] sendersTo(int rank) {
            return roots();
        }

        /** Shipped programs compute each element in one place. */
        @Override
        public boolean bitsMayDiffer() {
            return false;
        }
    }

    /**
     * What a plan's buffers allow.
     *
     * @param plan the plan
     * @param bits what it says of equal bits
     */
    record OfPlan(Plan plan, PlanBits bits) implements Sources {
        @Override
        public boolean bitsMayDiffer() {
            return bits.mayDiffer();
        }

        @Override
        public int[] roots() {
            return IntStream.range(0, plan.worldSize()).toArray();
        }

        /**
         * The ranks that can write into its output or scratch, and those whose input or scratch it can read; if none,
         * all others.
         */
        @Override
        public int[] sendersTo(int rank) {
            int[] others = IntStream.range(0, plan.worldSize())
                    .filter(other -> other != rank)
                    .toArray();
            int[] connected = Arrays.stream(others)
                    .filter(other -> accesses(other, rank, BufferType.OUTPUT)
                            || accesses(other, rank, BufferType.SCRATCH)
                            || accesses(rank, other, BufferType.INPUT)
                            || accesses(rank, other, BufferType.SCRATCH))
                    .toArray();
            return connected.length > 0 ? connected : others;
        }

        private boolean accesses(int rank, int peer, BufferType buffer) {
            return plan.ranks().get(rank).remoteBuffers().stream()
                    .anyMatch(remote -> remote.rank() == peer && remote.buffer() == buffer);
        }
    }
}
