package org.mscclj.backend.host.transfer;

/** Signals the other end of a lane that a slot was filled, or is free again; releases earlier accesses. */
@FunctionalInterface
interface SlotSignal {
    /**
     * Sends the signal.
     *
     * @param count number of slots that this end has filled or freed, this one included
     * @param slot index of the slot in the lane
     * @param bytes number of bytes of the slot that must reach the other end before the signal; 0 for a free slot
     * @return false if the signal cannot be sent now; call again
     */
    boolean raise(long count, int slot, long bytes);
}
