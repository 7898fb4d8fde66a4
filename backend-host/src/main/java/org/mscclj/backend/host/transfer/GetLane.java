package org.mscclj.backend.host.transfer;

import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.WindowLanes;

/**
 * The getter's end of a lane of gets: how much it has asked for, and taken, since the window was opened. Used by the
 * block that gets, which is continued by one thread at a time; launches are ordered.
 *
 * <p>Happens-before: asking releases the request, and what was read from the slot before; the owner's signal comes
 * after the bytes that it has written into the slot, and its count is acquired.
 */
final class GetLane {
    private final long counter;
    private final int slots;
    private final long slotBytes;
    private final long firstSlot;
    private final SlotSignal signal;
    private long asked;
    private long taken;

    /**
     * An end.
     *
     * @param counter address of the counter that the owner raises with each answer
     * @param firstSlot address of the first slot, in this rank's scratch
     * @param signal takes a request to the owner
     */
    GetLane(long counter, int slots, long slotBytes, long firstSlot, SlotSignal signal) {
        this.counter = counter;
        this.slots = slots;
        this.slotBytes = slotBytes;
        this.firstSlot = firstSlot;
        this.signal = signal;
    }

    /** Bytes that an answer holds at most. */
    long payloadBytes() {
        return slotBytes - TransferLanes.HEADER_BYTES;
    }

    /**
     * Asks for bytes.
     *
     * @param offset where they are in the owner's memory
     * @return false if that cannot be done now; to be tried again
     */
    boolean ask(long offset, long bytes) {
        if (asked - taken == slots) {
            return false;
        }
        int slot = (int) (asked % slots);
        long header = firstSlot + slot * slotBytes;
        NativeMemory.setLong(header + WindowLanes.REQUEST_OFFSET, offset);
        NativeMemory.setLong(header + WindowLanes.REQUEST_SIZE, bytes);
        if (!signal.raise(asked + 1, slot, WindowLanes.REQUEST_BYTES)) {
            return false;
        }
        asked++;
        return true;
    }

    /** Whether the answer is here that comes next, in the order of asking. */
    boolean isAnswered() {
        return NativeMemory.getLongAcquire(counter) > taken;
    }

    /** Takes that answer. */
    void take(long address, long bytes) {
        NativeMemory.copy(firstSlot + taken % slots * slotBytes + TransferLanes.HEADER_BYTES, address, bytes);
        taken++;
    }
}
