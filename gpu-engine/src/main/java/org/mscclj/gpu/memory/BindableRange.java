package org.mscclj.gpu.memory;

import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.mapping.PhysicalMemory;

/**
 * Memory of a GPU that can be bound to a multicast object.
 *
 * @param memory the driver's handle of memory of this backend; empty for memory of other software
 * @param start where the buffer begins in that memory, or else its address
 * @param bytes the bytes from there that can be bound
 */
public record BindableRange(Optional<PhysicalMemory> memory, long start, long bytes) {
    /** The bytes before the buffer in the unit of memory in which it begins. */
    public long lead(long granularity) {
        return start % granularity;
    }

    /**
     * Returns the whole units in which a buffer lies.
     *
     * @param asked the size of the buffer
     * @throws UnsupportedException if memory of other software begins or ends within a unit, or memory of this backend
     *     ends there
     */
    public BindableRange units(long asked, long granularity) {
        long lead = lead(granularity);
        long whole = Math.ceilDiv(lead + asked, granularity) * granularity;
        if ((memory.isEmpty() && lead > 0) || whole > lead + bytes) {
            throw new UnsupportedException("a buffer of " + asked + " bytes at "
                    + (memory.isPresent() ? "position " + start + " of its memory" : "0x" + Long.toHexString(start))
                    + ", where " + bytes + " bytes can be bound, cannot be bound to a multicast object: start and end"
                    + " must be multiples of " + granularity + " bytes; allocate it with multicast turned on, or take"
                    + " adopted memory with such a start and size");
        }
        return new BindableRange(memory, start - lead, whole);
    }
}
