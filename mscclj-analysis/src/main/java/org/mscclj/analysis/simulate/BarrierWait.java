package org.mscclj.analysis.simulate;

/**
 * A block that waits at a barrier.
 *
 * @param sync the barrier
 * @param expected number of blocks that the barrier expects
 */
record BarrierWait(SimulatedBarrier sync, int expected) implements Pending {
    @Override
    public String describe() {
        return "at barrier " + sync.id() + ", at which " + sync.arrived() + " of " + expected + " blocks have arrived";
    }
}
