package org.mscclj.gpu.memory;

import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.mapping.PhysicalMemory;

/**
 * Memory of a GPU that can be bound to a multicast object.
 *
 * @param memory the driver's handle of memory of this backend; empty for memory of other software
 * @param start the start in that memory, or else the address
 * @param bytes the bytes from there that can be bound
 */
public record BindableRange(Optional<PhysicalMemory> memory, long start, long bytes) {
    /**
     * Returns the bytes to bind: all that were asked for, up to a multiple of the granularity.
     *
     * @param asked the size of the buffer
     * @throws UnsupportedException if the memory does not begin or end at a multiple of the granularity
     */
    public long aligned(long asked, long granularity) {
        long end = Math.ceilDiv(asked, granularity) * granularity;
        if (start % granularity != 0 || end > bytes) {
            throw new UnsupportedException("a buffer of " + asked + " bytes at "
                    + (memory.isPresent() ? "position " + start + " of its memory" : "0x" + Long.toHexString(start))
                    + ", where " + bytes + " bytes can be bound, cannot be bound to a multicast object: start and end"
                    + " must be multiples of " + granularity + " bytes; allocate it with multicast turned on, or take"
                    + " adopted memory with such a start and size");
        }
        return end;
    }
}
