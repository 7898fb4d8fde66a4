package org.mscclj.backend.host.transfer;

/** How the other end of a lane gets to know that a slot was filled, or is free again; releases what was done before. */
@FunctionalInterface
interface SlotSignal {
    /**
     * Signals.
     *
     * @param count how many slots this end has filled or freed by now, this one included
     * @param slot which of the lane's slots
     * @param bytes what of the slot has to get to the other end before the signal; 0 for a slot that is free
     * @return false if it cannot be done now; to be tried again
     */
    boolean raise(long count, int slot, long bytes);
}
