package org.mscclj.backend.host.transfer;

import org.mscclj.posix.NativeMemory;

/**
 * One end of a lane: how many slots it has filled, or freed, since the communicator began. Used by the block that
 * carries out the lane's messages, which is continued by one thread at a time; launches are ordered.
 *
 * <p>Happens-before: an end's signal is a release of its count after it has written or read the slot; the other end
 * acquires the count before it reads or writes that slot. So a slot has one owner at any time: the sender while
 * {@code filled - freed < slots}, the receiver while {@code filled > freed}.
 */
final class Lane {
    private final long counter;
    private final int slots;
    private final long slotBytes;
    private final long firstSlot;
    private final SlotSignal signal;
    private long count;

    /**
     * An end.
     *
     * @param counter address of the counter that the other end raises
     * @param slots number of slots
     * @param slotBytes size of a slot
     * @param firstSlot address of the first slot: in the receiver's scratch, or in this rank's if a port channel copies
     *     from there
     * @param signal tells the other end
     */
    Lane(long counter, int slots, long slotBytes, long firstSlot, SlotSignal signal) {
        this.counter = counter;
        this.slots = slots;
        this.slotBytes = slotBytes;
        this.firstSlot = firstSlot;
        this.signal = signal;
    }

    /** Whether a sender may write {@link #slot}. */
    boolean isFree() {
        return count - NativeMemory.getLongAcquire(counter) < slots;
    }

    /** Whether a receiver may read {@link #slot}. */
    boolean isFull() {
        return NativeMemory.getLongAcquire(counter) > count;
    }

    /** Address of the slot whose turn it is. */
    long slot() {
        return firstSlot + count % slots * slotBytes;
    }

    /**
     * Takes a signal of the other end, which does not hear of it.
     *
     * @return false if there is none yet
     */
    boolean take() {
        if (!isFull()) {
            return false;
        }
        count++;
        return true;
    }

    /**
     * Gives the slot to the other end.
     *
     * @param bytes what of it the other end has to see; 0 if nothing
     * @return false if that cannot be done now
     */
    boolean pass(long bytes) {
        if (!signal.raise(count + 1, (int) (count % slots), bytes)) {
            return false;
        }
        count++;
        return true;
    }
}
