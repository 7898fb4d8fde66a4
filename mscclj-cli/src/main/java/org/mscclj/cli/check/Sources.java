package org.mscclj.cli.check;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * The ranks whose data a rank may have received, as far as that is known before the outputs are examined: a plan names
 * neither its root nor the sender of each rank.
 */
public sealed interface Sources {
    /** Returns the ranks that may be the root of a rooted collective. */
    int[] roots();

    /** Returns the ranks whose input a rank may have received in a sendrecv. */
    int[] sendersTo(int rank);

    /**
     * Whether ranks may get different bits for the same element of an allreduce, since they reduce in different orders.
     */
    boolean bitsMayDiffer();

    /** The sources that a plan allows. */
    static Sources of(Plan plan) {
        return new OfPlan(plan, new PlanBits(plan));
    }

    /** A root that the caller has chosen. */
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

        /** Shipped programs compute each element on one rank. */
        @Override
        public boolean bitsMayDiffer() {
            return false;
        }
    }

    /**
     * The sources that a plan's buffers allow.
     *
     * @param plan the plan
     * @param bits whether it gives equal bits
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
         * Returns the ranks that can write to a rank's output or scratch, and those whose input or scratch it can read;
         * all others if there are none.
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
