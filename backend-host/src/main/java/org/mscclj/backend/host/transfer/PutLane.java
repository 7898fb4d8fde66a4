package org.mscclj.backend.host.transfer;

import java.util.Arrays;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.Trigger;

/**
 * The slots from which a port channel copies what is put to a rank on another node. Used by the block that puts, which
 * is continued by one thread at a time; launches are ordered.
 *
 * <p>Happens-before: pushing a trigger releases what was copied into the slot; the slot is written again when its flush
 * is answered, which is acquired.
 */
final class PutLane {
    private static final long NONE = -1;

    private final PortBinding port;
    private final long scratch;
    private final long firstSlot;
    private final long slotBytes;

    /** For each slot, the position of the flush that it waits for. */
    private final long[] flushes;

    private long count;
    private long staged;

    /**
     * The slots.
     *
     * @param scratch address of this rank's scratch
     * @param firstSlot where in it the first slot is, in bytes
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
     * Puts bytes, as many as a slot holds at most.
     *
     * @param address where they are
     * @param memoryId first memory id of the peer's memory
     * @param offset where they go in it
     * @return false if that cannot be done now; to be tried again with the same arguments
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

    /** Whether everything that was put is in the peer's memory. */
    boolean hasLanded() {
        return count == 0 || isFlushed(flushes[(int) ((count - 1) % flushes.length)]);
    }

    private boolean isFlushed(long position) {
        return position == NONE || port.fifo().flushed(port.semaphoreId()) > position;
    }
}
