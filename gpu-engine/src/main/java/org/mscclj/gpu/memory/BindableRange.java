package org.mscclj.gpu.memory;

import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.mapping.DeviceBlock;

/**
 * Memory of a GPU that can be bound to a multicast object.
 *
 * @param block the block of memory of this backend, which is virtual; empty for memory of other software
 * @param start where the buffer begins in that block, or else its address
 * @param bytes the bytes from there that can be bound
 */
public record BindableRange(Optional<DeviceBlock> block, long start, long bytes) {
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
        if ((block.isEmpty() && lead > 0) || whole > lead + bytes) {
            throw new UnsupportedException("a buffer of " + asked + " bytes at "
                    + (block.isPresent() ? "position " + start + " of its memory" : "0x" + Long.toHexString(start))
                    + ", where " + bytes + " bytes can be bound, cannot be bound to a multicast object: start and end"
                    + " must be multiples of " + granularity + " bytes; allocate it with multicast turned on, or take"
                    + " adopted memory with such a start and size");
        }
        return new BindableRange(block, start - lead, whole);
    }
}
