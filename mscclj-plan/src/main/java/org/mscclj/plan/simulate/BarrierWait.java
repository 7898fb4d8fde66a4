package org.mscclj.plan.simulate;

/**
 * A block has come to a barrier.
 *
 * @param meeting the barrier
 * @param expected how many blocks meet there
 */
record BarrierWait(Meeting meeting, int expected) implements Pending {
    @Override
    public String describe() {
        return "at barrier " + meeting.id() + ", to which " + meeting.come() + " of " + expected + " blocks have come";
    }
}
