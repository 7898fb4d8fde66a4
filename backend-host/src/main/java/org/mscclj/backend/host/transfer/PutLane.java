package org.mscclj.backend.host.transfer;

import java.util.Arrays;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.Trigger;

/**
 * The slots from which a port channel copies the data of puts to a rank on another node. The putting block uses them;
 * one thread at a time continues that block, and launches are ordered.
 *
 * <p>Happens-before: a push of a trigger releases the copy into the slot; the slot is written again after the answer to
 * its flush, which is acquired.
 */
final class PutLane {
    private static final long NONE = -1;

    private final PortBinding port;
    private final long scratch;
    private final long firstSlot;
    private final long slotBytes;

    /** For each slot, the position of its last flush, for which it waits. */
    private final long[] flushes;

    private long count;
    private long staged;

    /**
     * Creates the lane.
     *
     * @param scratch address of this rank's scratch
     * @param firstSlot offset of the first slot in it, in bytes
     */
    PutLane(PortBinding port, long scratch, long firstSlot, int slots, long slotBytes) {
        this.port = port;
        this.scratch = scratch;
        this.firstSlot = firstSlot;
        this.slotBytes = slotBytes;
        this.flushes = new long[slots];
        Arrays.fill(flushes, NONE);
    }

    /** Bytes that a slot holds. */
    long slotBytes() {
        return slotBytes;
    }

    /**
     * Puts bytes, at most the size of a slot.
     *
     * @param address address of the bytes
     * @param memoryId first memory id of the peer's memory
     * @param offset offset of their destination in it
     * @return false if the put cannot be queued now; call again with equal arguments
     */
    boolean put(long address, long bytes, int memoryId, long offset) {
        int slot = (int) (count % flushes.length);
        long from = firstSlot + slot * slotBytes;
        if (staged == 0) {
            if (!isFlushed(flushes[slot])) {
                return false;
            }
            NativeMemory.copy(address, scratch + from, bytes);
            staged = bytes; // the ring may be full
        }
        long position = port.fifo()
                .tryPush(
                        Trigger.word0(bytes, from),
                        Trigger.word1(
                                Trigger.windowOffset(offset),
                                port.scratchId(),
                                memoryId + Trigger.windowIndex(offset),
                                Trigger.DATA | Trigger.FLUSH,
                                port.semaphoreId()));
        if (position < 0) {
            return false;
        }
        flushes[slot] = position;
        staged = 0;
        count++;
        return true;
    }

    /** Whether the data of all puts is in the peer's memory. */
    boolean hasLanded() {
        return count == 0 || isFlushed(flushes[(int) ((count - 1) % flushes.length)]);
    }

    private boolean isFlushed(long position) {
        return position == NONE || port.fifo().flushed(port.semaphoreId()) > position;
    }
}
