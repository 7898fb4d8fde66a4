package org.mscclj.backend.host.schedule;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;

/** Copies between two buffers. */
final class CopyCommand implements Command {
    private final MemorySegment source;
    private final MemorySegment destination;

    CopyCommand(DeviceBuffer source, DeviceBuffer destination) {
        this.source = source.segment();
        this.destination = destination.segment();
    }

    @Override
    public boolean control(long ticket) {
        destination.copyFrom(source);
        return true;
    }
}
