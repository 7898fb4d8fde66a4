package org.mscclj.analysis.verify.order;

import java.util.List;
import java.util.OptionalInt;

/** Decides which block a contested counter serves next. */
@FunctionalInterface
public interface ServiceOrder {
    /**
     * One block gets the next count of a counter. Two turns of different blocks and counters commute.
     *
     * @param block the number of the block's agent
     * @param counter the number of the counter
     * @param what description of the turn
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
     * Chooses the next turn when no block can continue without one.
     *
     * @param possible the candidates, in an order that is the same in each run
     * @return the position of the chosen turn; empty to end the run here, because all its continuations are explored
     */
    OptionalInt next(List<Turn> possible);
}
