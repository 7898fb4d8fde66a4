package org.mscclj.spi.device;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;

/** Tells memory that the host can access from memory that only a device can. */
public final class HostSegment {
    private HostSegment() {}

    /** Returns the memory of a buffer; empty if the host cannot access it. */
    public static Optional<MemorySegment> of(DeviceBuffer buffer) {
        try {
            return Optional.of(buffer.segment());
        } catch (UnsupportedException _) {
            return Optional.empty();
        }
    }
}
