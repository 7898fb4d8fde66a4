package org.mscclj.plan.verify;

import java.util.List;
import java.util.OptionalInt;

/** Decides whom a contested counter serves next. */
@FunctionalInterface
interface ServiceOrder {
    /**
     * A block gets the next count of a counter. Two turns of different blocks and counters commute.
     *
     * @param block the number of the block's agent
     * @param counter the number of the counter
     * @param what who gets what, in words
     */
    record Turn(int block, int counter, String what) {
        boolean commutesWith(Turn other) {
            return block != other.block && counter != other.counter;
        }

        boolean isSame(Turn other) {
            return block == other.block && counter == other.counter;
        }
    }

    /**
     * Chooses the turn with which a run goes on, when without a turn nothing can go on.
     *
     * @param possible in an order that is the same in each run
     * @return its position; empty to end the run here, because all its continuations are known
     */
    OptionalInt next(List<Turn> possible);
}
