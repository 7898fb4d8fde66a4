package org.mscclj.device.kernels.plan;

import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.List;
import org.mscclj.device.kernels.channel.PortRing;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.TriggerFifo;

/** The structures {@code PortRing} of the device library, one for each ring into which kernels push triggers. */
final class PortRings {
    /** The structure, followed by the tail that blocks have seen, on its own cache line. */
    private static final int BYTES = 2 * 128;

    private static final int TAIL_SEEN_LINE = 128;

    private final IdentityHashMap<TriggerFifo, Long> offsets = new IdentityHashMap<>();
    private final long end;

    /**
     * Creates the layout for the rings of some ports.
     *
     * @param start offset of the structures, in bytes
     */
    PortRings(List<PortBinding> ports, long start) {
        long next = start;
        for (PortBinding port : ports) {
            if (!offsets.containsKey(port.fifo())) {
                offsets.put(port.fifo(), next);
                next += BYTES;
            }
        }
        this.end = next;
    }

    long end() {
        return end;
    }

    long offset(TriggerFifo fifo) {
        Long offset = offsets.get(fifo);
        if (offset == null) {
            throw new IllegalStateException("a port channel's ring is not one of the context's");
        }
        return offset;
    }

    /**
     * Writes the structures into memory at an address of the device. The cached tail starts at 0, which is always a
     * lower bound.
     */
    void initialise(MemorySegment memory, long address) {
        offsets.forEach((fifo, offset) ->
                PortRing.write(memory.asSlice(offset, PortRing.BYTES), fifo, address + offset + TAIL_SEEN_LINE));
    }
}
