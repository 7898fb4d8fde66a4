package org.mscclj.gpu.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.spi.device.DmaBuf;

/** Exports memory of a GPU to network cards. */
public final class DmaBufExport {
    /** A multiple of the size of the host's pages on every machine. */
    private static final long PAGE = 65_536;

    private DmaBufExport() {}

    /**
     * Exports the pages of a range of memory.
     *
     * @param bytes the size of the range; more than 0
     * @return empty if the driver does not export this memory
     */
    public static Optional<DmaBuf> of(DeviceContext context, long address, long bytes) {
        long start = address & -PAGE;
        long end = address + bytes + PAGE - 1 & -PAGE;
        context.use();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment descriptor = arena.allocate(JAVA_INT);
            return context.driver().memory().exportDmaBuf(descriptor, start, end - start) == DriverErrors.SUCCESS
                    ? Optional.of(new DmaBuf(descriptor.get(JAVA_INT, 0), address - start))
                    : Optional.empty();
        }
    }
}
