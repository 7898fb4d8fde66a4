package org.mscclj.backend.host.transfer;

import org.mscclj.posix.NativeMemory;

/**
 * One end of a lane: counts the slots that it has filled, or freed, since the communicator was opened. The block that
 * carries out the lane's transfers uses it; one thread at a time continues that block, and launches are ordered.
 *
 * <p>Happens-before: an end's signal is a release of its count after it has written or read the slot; the other end
 * acquires the count before it reads or writes that slot. So a slot has one owner at any time: the sender while
 * {@code filled - freed < slots}, the receiver while {@code filled > freed}.
 */
final class TransferLane {
    private final long counter;
    private final int slots;
    private final long slotBytes;
    private final long firstSlot;
    private final SlotSignal signal;
    private long count;

    /**
     * Creates an end.
     *
     * @param counter address of the counter that the other end raises
     * @param slots number of slots
     * @param slotBytes size of a slot, in bytes
     * @param firstSlot address of the first slot: in the receiver's scratch, or in this rank's if a port channel copies
     *     from there
     * @param signal signals the other end
     */
    TransferLane(long counter, int slots, long slotBytes, long firstSlot, SlotSignal signal) {
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

    /** Address of the current slot. */
    long slot() {
        return firstSlot + count % slots * slotBytes;
    }

    /**
     * Consumes a signal of the other end, which is not notified of that.
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
     * Passes the slot to the other end.
     *
     * @param bytes number of bytes of the slot that the other end has to see; 0 if none
     * @return false if the slot cannot be passed now
     */
    boolean pass(long bytes) {
        if (!signal.raise(count + 1, (int) (count % slots), bytes)) {
            return false;
        }
        count++;
        return true;
    }
}
