package org.mscclj.backend.host.transfer;

import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.WindowLanes;

/**
 * The getter's end of a lane of gets: counts its requests, and the answers that it has taken, since the window was
 * opened. The getting block uses it; one thread at a time continues that block, and launches are ordered.
 *
 * <p>Happens-before: a request releases its content, and earlier reads of the slot; the owner's signal follows its
 * writes into the slot, and its count is acquired.
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
     * Creates an end.
     *
     * @param counter address of the counter that the owner raises with each answer
     * @param firstSlot address of the first slot, in this rank's scratch
     * @param signal sends a request to the owner
     */
    GetLane(long counter, int slots, long slotBytes, long firstSlot, SlotSignal signal) {
        this.counter = counter;
        this.slots = slots;
        this.slotBytes = slotBytes;
        this.firstSlot = firstSlot;
        this.signal = signal;
    }

    /** The largest number of bytes of an answer. */
    long payloadBytes() {
        return slotBytes - TransferLanes.HEADER_BYTES;
    }

    /**
     * Requests bytes.
     *
     * @param offset offset of the bytes in the owner's memory
     * @return false if the request cannot be sent now; call again
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

    /** Whether the next answer, in the order of requests, has arrived. */
    boolean isAnswered() {
        return NativeMemory.getLongAcquire(counter) > taken;
    }

    /** Takes the next answer. */
    void take(long address, long bytes) {
        NativeMemory.copy(firstSlot + taken % slots * slotBytes + TransferLanes.HEADER_BYTES, address, bytes);
        taken++;
    }
}
